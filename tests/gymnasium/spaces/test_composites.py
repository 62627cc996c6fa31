"""Tuple, Dict, Sequence, Graph and OneOf."""

from __future__ import annotations

import itertools
import json
from collections import OrderedDict
from collections.abc import KeysView
from typing import Any

import numpy as np
import pytest

from gymnasium.spaces import (
    Box,
    Dict,
    Discrete,
    Graph,
    GraphInstance,
    MultiBinary,
    OneOf,
    Sequence,
    Space,
    Text,
    Tuple,
    flatdim,
    flatten,
    flatten_space,
    unflatten,
)
from gymnasium.spaces.utils import is_space_dtype_shape_equiv
from tests.spaces_zoo import agree

ONE, TWO = Discrete(3), Discrete(2)


def only(n: int, *allowed: int) -> Any:
    mask = np.zeros(n, np.int8)
    mask[list(allowed)] = 1
    return mask


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: Tuple([ONE, 1]), TypeError),
        (lambda: Tuple(1), TypeError),
        (lambda: OneOf([ONE, 1]), TypeError),
        (lambda: OneOf(1), TypeError),
        (lambda: OneOf([]), ValueError),
        (lambda: Dict(a=1), TypeError),
        (lambda: Dict(1), TypeError),
        (lambda: Dict([1, 2]), TypeError),
        (lambda: Dict({"a": ONE}, a=TWO), ValueError),
        (lambda: Dict([("a", ONE), ("a", TWO)]), ValueError),
        (lambda: Sequence(1), TypeError),
        (lambda: Graph(1, None), TypeError),
        (lambda: Graph(ONE, 1), TypeError),
    ],
)
def test_members_are_spaces(make: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        make()


COMPOSITES: list[Space[Any]] = [
    Tuple([ONE, TWO]),
    Dict(a=ONE, b=TWO),
    OneOf([ONE, TWO]),
    Sequence(ONE),
    Graph(ONE, TWO),
    Graph(ONE, None),
]


@pytest.mark.parametrize("space", COMPOSITES, ids=repr)
def test_seeds_of_another_form_are_refused(space: Space[Any]) -> None:
    for seed in ("a", 1.5, {1, 2}):
        with pytest.raises(TypeError):
            space.seed(seed)
    wrong: Any = {"a": 1} if isinstance(space, Dict) else (1, 2, 3, 4)
    with pytest.raises(ValueError, match=r"seeds|entries"):
        space.seed(wrong)


@pytest.mark.parametrize("space", COMPOSITES, ids=repr)
@pytest.mark.parametrize("argument", ["mask", "probability"])
def test_masks_of_another_form_are_refused(space: Space[Any], argument: str) -> None:
    for wrong in ([None, None], (None,), {"a": None}, 1):
        with pytest.raises(AssertionError, match=argument):
            space.sample(**{argument: wrong})


def test_masks_reach_the_members() -> None:
    assert Tuple([ONE, TWO]).sample(mask=(only(3, 2), only(2, 1))) == (2, 1)
    assert Tuple([ONE, TWO]).sample(probability=(np.array([0, 0, 1.0]), np.array([0, 1.0]))) == (2, 1)
    assert Dict(a=ONE, b=TWO).sample(mask={"a": only(3, 2), "b": only(2, 1)}) == {"a": 2, "b": 1}
    assert Dict(a=ONE).sample(probability={"a": np.array([0, 0, 1.0])}) == {"a": 2}
    assert OneOf([ONE, TWO]).sample(mask=(only(3, 1), only(2, 1)))[1] == 1
    assert Sequence(ONE).sample(mask=(3, only(3, 2))) == (2, 2, 2)
    assert Sequence(ONE).sample(probability=(np.int64(2), np.array([0, 0, 1.0]))) == (2, 2)


def test_a_tuple_is_a_sequence_of_spaces() -> None:
    space = Tuple([ONE, TWO])

    assert (space[0], space[1:], len(space), list(space)) == (ONE, (TWO,), 2, [ONE, TWO])
    assert repr(space) == "Tuple(Discrete(3), Discrete(2))"
    assert all(x in space for x in ((2, 1), [2, 1], np.array([2, 1])))
    assert not any(x in space for x in ((2,), (2, 2), (2, 1, 0), 2, np.array(2), {0: 2, 1: 1}))


def test_keys_are_sorted_where_no_order_was_meant() -> None:
    pairs = [("b", ONE), ("a", TWO)]

    assert list(Dict(dict(pairs))) == ["a", "b"]
    assert list(Dict(dict(pairs), sort_keys=False)) == ["b", "a"]
    assert list(Dict(OrderedDict(pairs))) == list(Dict(pairs)) == list(Dict(b=ONE, a=TWO)) == ["b", "a"]
    assert list(Dict({"c": ONE, 1: TWO})) == ["c", 1]  # type: ignore[dict-item]
    assert list(Dict({"c": ONE}, b=TWO)) == ["c", "b"]


def test_a_dict_is_a_mapping_of_spaces() -> None:
    space = Dict(a=ONE, b=TWO)

    assert space["a"] is ONE
    assert isinstance(space.keys(), KeysView)
    assert "a" in space.keys()  # noqa: SIM118  ("a" in space is another question)
    assert "a" not in space
    assert dict(space.items()) == {"a": ONE, "b": TWO}
    assert list(space.values()) == [ONE, TWO]
    assert space.get("c") is None
    assert repr(space) == "Dict('a': Discrete(3), 'b': Discrete(2))"
    assert space == Dict(b=TWO, a=ONE)
    assert not any(x in space for x in ({"a": 1}, {"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 2}, (1, 1)))
    space["c"] = TWO
    assert list(space) == ["a", "b", "c"]
    with pytest.raises(TypeError, match="'d'"):
        space["d"] = 1  # type: ignore[assignment]


def test_lengths_of_sequences() -> None:
    space = Sequence(ONE, seed=0)

    assert {len(space.sample(mask=(np.array([1, 5]), None))) for _ in range(30)} == {1, 5}
    assert {space.generate_sample_length(None) for _ in range(200)} >= {1, 2, 3, 4}
    for wrong in (-1, np.array([-1]), np.array([1.5]), np.array([[1]]), np.array([], int)):
        with pytest.raises(AssertionError, match="length"):
            space.sample(mask=(wrong, None))
    with pytest.raises(TypeError, match="length"):
        space.sample(mask=("3", None))


@pytest.mark.parametrize(
    "feature", [Box(0, 1, (2,)), Discrete(3), Tuple([Discrete(2), Box(0, 1)]), Dict(a=Discrete(2)), Text(3)], ids=repr
)
def test_an_empty_stack_is_an_empty_batch(feature: Space[Any]) -> None:
    space = Sequence(feature, stack=True)
    empty = space.sample(mask=(0, None))

    assert empty in space
    assert agree(space.from_jsonable(space.to_jsonable([empty])), [empty])
    assert flatten(space, empty) in flatten_space(space)
    assert agree(unflatten(space, flatten(space, empty)), empty)


def test_what_has_no_items_is_in_no_stack() -> None:
    space = Sequence(Box(0, 1), stack=True)

    assert not any(x in space for x in (None, 1, 0.5, object()))
    assert np.zeros((3, 1), np.float32) in space
    assert np.zeros((3, 2), np.float32) not in space
    assert repr(space) == "Sequence(Box(0.0, 1.0, (1,), float32), stack=True)"
    assert space != Sequence(Box(0, 1))


def test_graphs_are_as_large_as_asked() -> None:
    space = Graph(Box(0, 1, (2,)), Discrete(3), seed=0)
    graph = space.sample(num_nodes=4, num_edges=3)

    assert (graph.nodes.shape, graph.edges.shape, graph.edge_links.shape) == ((4, 2), (3,), (3, 2))  # type: ignore[union-attr]
    assert space.sample(num_nodes=1).edges is None
    assert space.sample(num_edges=0)[1:] == (None, None)
    for wrong in ({"num_nodes": 0}, {"num_edges": -1}):
        with pytest.raises(AssertionError, match="num_"):
            space.sample(**wrong)  # type: ignore[arg-type]
    with pytest.warns(UserWarning, match="edge_space"):
        assert Graph(ONE, None).sample(num_edges=2).edges is None


@pytest.mark.parametrize("num_edges", [3, None])
def test_one_mask_serves_every_edge(num_edges: int | None) -> None:
    space = Graph(Discrete(3), Discrete(4), seed=1)
    graph = space.sample(mask=(only(3, 2), only(4, 1)), num_nodes=4, num_edges=num_edges)

    assert set(graph.nodes.tolist()) == {2}
    assert graph.edges is not None
    assert set(graph.edges.tolist()) == {1}


def test_a_tuple_of_masks_serves_edge_by_edge() -> None:
    masks = ((only(3, 0), only(3, 1)), (only(4, 2), only(4, 3)))
    graph = Graph(Discrete(3), Discrete(4)).sample(mask=masks, num_nodes=2, num_edges=2)

    assert graph.nodes.tolist() == [0, 1]
    assert graph.edges is not None
    assert graph.edges.tolist() == [2, 3]


def test_containment_of_graphs() -> None:
    space = Graph(Discrete(3), Discrete(2))
    nodes, edges, links = np.array([0, 2]), np.array([1]), np.array([[0, 1]])

    assert GraphInstance(nodes, edges, links) in space
    assert GraphInstance(nodes, None, None) in space
    for wrong in [
        (nodes, edges, links),
        GraphInstance(None, None, None),  # type: ignore[arg-type]
        GraphInstance(3, None, None),  # type: ignore[arg-type]
        GraphInstance(np.array([3]), None, None),
        GraphInstance(nodes, None, links),
        GraphInstance(nodes, edges, None),
        GraphInstance(nodes, np.array([2]), links),
        GraphInstance(nodes, edges, np.array([[0, 2]])),
        GraphInstance(nodes, edges, np.array([[-1, 0]])),
        GraphInstance(nodes, edges, np.array([0, 1])),
        GraphInstance(nodes, edges, links.astype(float)),
        GraphInstance(nodes, edges, [[0, 1]]),  # type: ignore[arg-type]
    ]:
        assert wrong not in space
    assert GraphInstance(nodes, edges, links) not in Graph(Discrete(3), None)
    assert repr(space) == "Graph(Discrete(3), Discrete(2))"


def test_one_of_is_a_choice() -> None:
    space = OneOf([ONE, Box(0, 1)], seed=0)

    assert (space[0], len(space), repr(space)) == (ONE, 2, "OneOf(Discrete(3), Box(0.0, 1.0, (1,), float32))")
    assert {int(space.sample()[0]) for _ in range(30)} == {0, 1}
    assert all(x in space for x in ((0, 2), (np.int64(0), np.int64(2))))
    assert not any(x in space for x in ([0, 2], (0, 3), (2, 1), (-1, 1), (0.0, 2), (np.int32(0), 2), (0,), 0))


def test_flat_choices_are_padded_with_a_value_in_bounds() -> None:
    space = OneOf([Discrete(2), Box(5, 6, (3,), np.int64)])

    assert flatdim(space) == 4
    assert flatten(space, (0, np.int64(1))).tolist() == [0, 0, 1, 0]  # type: ignore[union-attr,arg-type]
    assert flatten_space(space) == Box(np.array([0, 0, 0, 0]), np.array([1, 6, 6, 6]), dtype=np.int64)


def test_the_index_fits_the_flat_dtype() -> None:
    bits = OneOf([Box(0, 1, (1,), bool)] * 3)
    bytes_ = OneOf([MultiBinary(1)] * 200)

    assert flatten_space(bits).dtype == np.uint8
    assert flatten_space(bytes_).dtype == np.int16
    assert unflatten(bytes_, flatten(bytes_, (np.int64(199), np.zeros(1, np.int8))))[0] == 199


def test_without_members_there_is_an_empty_vector() -> None:
    for space, value in ((Tuple([]), ()), (Dict(), {})):
        assert flatdim(space) == 0  # type: ignore[arg-type]
        assert flatten(space, value).shape == (0,)  # type: ignore[union-attr,arg-type]
        assert flatten_space(space).shape == (0,)  # type: ignore[arg-type]
        assert unflatten(space, np.zeros(0)) == value  # type: ignore[arg-type,comparison-overlap]
    assert Dict().from_jsonable({}) == []


@pytest.mark.parametrize(
    ("space", "text"),
    [
        (Tuple([]), "[[], []]"),
        (Dict(), "[{}, {}]"),
        (Tuple([Dict(), Discrete(1)]), "[[{}, {}], [0, 0]]"),
        (Dict(a=Tuple([])), '{"a": [[], []]}'),
        (Sequence(Tuple([])), None),
        (OneOf([Tuple([]), Dict()]), None),
    ],
    ids=repr,
)
def test_samples_without_members_survive_json(space: Space[Any], text: str | None) -> None:
    samples = [space.sample(), space.sample()]
    written = json.dumps(space.to_jsonable(samples))

    assert text in (written, None)
    assert agree(space.from_jsonable(json.loads(written)), samples)


@pytest.mark.parametrize(
    "space", [Tuple([ONE]), Dict(a=ONE), OneOf([ONE]), Tuple([Sequence(ONE)]), Dict(a=Sequence(ONE))], ids=repr
)
def test_flat_values_of_another_structure_are_refused(space: Space[Any]) -> None:
    with pytest.raises(AssertionError, match="Flat values"):
        unflatten(space, "abc")


def test_layouts_ignore_bounds_but_not_structure() -> None:
    same = [
        (Box(0, 1, (2,)), Box(-5, 5, (2,))),
        (Discrete(2), Discrete(9, start=3)),
        (Tuple([Discrete(2)]), Tuple([Discrete(3)])),
        (Dict(a=Discrete(2)), Dict(a=Discrete(3))),
        (OneOf([Discrete(2)]), OneOf([Discrete(3)])),
        (Graph(Discrete(2), None), Graph(Discrete(3), None)),
        (Sequence(Discrete(2)), Sequence(Discrete(3))),
        (Text(3, charset="ab"), Text(3, min_length=2, charset="ba")),
    ]
    for a, b in same:
        assert is_space_dtype_shape_equiv(a, b)
    for (a, _), (b, _) in itertools.permutations(same, 2):
        assert not is_space_dtype_shape_equiv(a, b)
    assert not is_space_dtype_shape_equiv(Discrete(2), Discrete(2, dtype=np.int8))
    assert not is_space_dtype_shape_equiv(Graph(ONE, None), Graph(ONE, TWO))
    assert not is_space_dtype_shape_equiv(Sequence(ONE), Sequence(ONE, stack=True))
    assert not is_space_dtype_shape_equiv(Dict(a=ONE), Dict(b=ONE))
    assert not is_space_dtype_shape_equiv(Tuple([ONE]), Tuple([ONE, ONE]))

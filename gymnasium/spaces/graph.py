"""Graph: nodes with values, and links between them, with or without values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from gymnasium.logger import warn
from gymnasium.spaces.batching import batch_space, create_empty_array, create_zero_array, iterate
from gymnasium.spaces.composite import Composite, checked_seeds, is_integer, member_seeds
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.masks import check_exclusive, check_members
from gymnasium.spaces.space import ArrayMaker, Space
from gymnasium.spaces.stacking import batches_from_jsonable, batches_to_jsonable, members, stacked
from gymnasium.spaces.tuple import tuple_of_copies
from gymnasium.spaces.utils import flatten, flatten_space, is_space_dtype_shape_equiv, unflatten


class GraphInstance(NamedTuple):
    """One graph of `n` nodes and `m` edges.

    Without edges, the fields `edges` and `edge_links` are both None.
    """

    nodes: np.ndarray  # a batch of n values of the node space
    edges: np.ndarray | None  # a batch of m values of the edge space
    edge_links: np.ndarray | None  # (m, 2) integers: the source and the target node of each edge


class Graph(Composite[GraphInstance]):
    """Graphs of any size, whose nodes and edges are values of two spaces.

    Args:
        node_space: The space of each node.
        edge_space: The space of each edge; None if there are no edges.
        seed: An integer, or two or three seeds (the Graph's own, the node space's, the edge space's), or a generator
            for the Graph itself.

    Attributes:
        node_space: The space of each node.
        edge_space: The space of each edge, or None.
        batch_node_space: The space of one node's batch.
        batch_edge_space: The space of one edge's batch, or None.

    Raises:
        TypeError: If a member is not a space.
    """

    def __init__(
        self,
        node_space: Space,
        edge_space: Space | None,
        seed: int | Sequence[int] | np.random.Generator | None = None,
    ) -> None:
        if not isinstance(node_space, Space):
            raise TypeError(
                f"`node_space` must be a space, but {node_space!r} (of type {type(node_space).__name__}) came"
            )
        if edge_space is not None and not isinstance(edge_space, Space):
            raise TypeError(
                f"`edge_space` must be a space or None, but {edge_space!r} (of type {type(edge_space).__name__}) came"
            )
        self.node_space = node_space
        self.edge_space = edge_space
        self._follow("node_space")
        super().__init__(None, None, cast("int | np.random.Generator | None", seed))

    _sources = frozenset({"dtype", "node_space", "edge_space"})

    def _follow(self, name: str) -> None:
        self.batch_node_space: Space = batch_space(self.node_space, 1)
        self.batch_edge_space: Space | None = None if self.edge_space is None else batch_space(self.edge_space, 1)

    @property
    def is_np_flattenable(self) -> bool:
        """False, since graphs have any size."""
        return False

    @property
    def _spaces(self) -> tuple[Space, ...]:
        return (self.node_space,) if self.edge_space is None else (self.node_space, self.edge_space)

    def seed(self, seed: Any = None) -> tuple[Any, ...]:
        """Seeds the generator of links and sizes, and the members.

        Args:
            seed: An integer, from which each member gets its own; or a tuple or list of two seeds, or three with an
                edge space; or None.

        Returns:
            The Graph's own seed and the members'.
        """
        spaces = self._spaces
        if is_integer(seed):
            super().seed(seed)
            seed = (seed, *member_seeds(self.np_random, len(spaces)))
        own, *others = checked_seeds(self, seed, 1 + len(spaces))
        return super().seed(own), *(space.seed(other) for space, other in zip(spaces, others, strict=True))

    def sample(
        self,
        mask: tuple[Any, Any] | None = None,
        probability: tuple[Any, Any] | None = None,
        num_nodes: int = 10,
        num_edges: int | None = None,
    ) -> GraphInstance:
        """Returns a random graph; its links are uniform, and may repeat or lead back to their node.

        Args:
            mask: A mask for the nodes and one for the edges. Each is a tuple with one for every node or edge, or one
                for all of them, or None.
            probability: Likewise, probabilities.
            num_nodes: The number of nodes.
            num_edges: The number of edges; if None, drawn from 0 to `num_nodes * (num_nodes - 1) - 1`.

        Raises:
            ValueError: If both `mask` and `probability` are given.
            AssertionError: If one has another form, or a number is out of range.
        """
        if num_nodes <= 0:
            raise AssertionError(f"`num_nodes` must be positive, but {num_nodes} came")
        check_exclusive(mask, probability)
        name, given = ("mask", mask) if probability is None else ("probability", probability)
        if given is None:
            given = (None, None)
        check_members(name, given, 2)
        num_edges = self._edge_count(num_nodes, num_edges)
        nodes = _drawn(self.node_space, num_nodes, name, given[0])
        if not num_edges or self.edge_space is None:
            return GraphInstance(nodes, None, None)
        edges = _drawn(self.edge_space, num_edges, name, given[1])
        links = self.np_random.integers(num_nodes, size=(num_edges, 2), dtype=np.int32)
        return GraphInstance(nodes, edges, links)

    def _edge_count(self, num_nodes: int, num_edges: int | None) -> int:
        if num_edges is None:
            return int(self.np_random.integers(num_nodes * (num_nodes - 1))) if num_nodes > 1 else 0
        if num_edges < 0:
            raise AssertionError(f"`num_edges` must not be negative, but {num_edges} came")
        if self.edge_space is None:
            warn(f"`num_edges` is {num_edges}, but without an `edge_space` a Graph has no edges")
        return num_edges

    def contains(self, x: Any) -> bool:
        """Whether `x` is a GraphInstance of such nodes and edges, with valid links from node to node."""
        if not isinstance(x, GraphInstance):
            return False
        nodes = members(self.batch_node_space, x.nodes)
        if nodes is None or not all(self.node_space.contains(node) for node in nodes):
            return False
        if x.edges is None or x.edge_links is None:
            return x.edges is None and x.edge_links is None
        if self.edge_space is None or self.batch_edge_space is None:
            return False
        edges = members(self.batch_edge_space, x.edges)
        return (
            edges is not None
            and _are_links(x.edge_links, len(nodes), len(edges))
            and all(self.edge_space.contains(edge) for edge in edges)
        )

    def to_jsonable(self, sample_n: Sequence[GraphInstance]) -> list[dict[str, Any]]:
        """Returns for each graph a dict of its nodes and, if it has any, its edges and links."""
        return [self._graph_to_jsonable(sample) for sample in sample_n]

    def _graph_to_jsonable(self, graph: GraphInstance) -> dict[str, Any]:
        nodes = batches_to_jsonable(self.node_space, self.batch_node_space, [graph.nodes])
        if graph.edges is None or graph.edge_links is None or self.edge_space is None or self.batch_edge_space is None:
            return {"nodes": nodes}
        edges = batches_to_jsonable(self.edge_space, self.batch_edge_space, [graph.edges])
        return {"nodes": nodes, "edges": edges, "edge_links": graph.edge_links.tolist()}

    def from_jsonable(self, sample_n: Sequence[dict[str, Any]]) -> list[GraphInstance]:
        """Returns the graphs."""
        return [self._graph_from_jsonable(sample) for sample in sample_n]

    def _graph_from_jsonable(self, graph: dict[str, Any]) -> GraphInstance:
        (nodes,) = batches_from_jsonable(self.node_space, self.batch_node_space, graph["nodes"])
        if "edges" not in graph or self.edge_space is None or self.batch_edge_space is None:
            return GraphInstance(nodes, None, None)
        (edges,) = batches_from_jsonable(self.edge_space, self.batch_edge_space, graph["edges"])
        return GraphInstance(nodes, edges, np.asarray(graph["edge_links"], dtype=np.int32).reshape(-1, 2))

    def __repr__(self) -> str:
        return f"Graph({self.node_space}, {self.edge_space})"

    def __eq__(self, other: object) -> bool:
        """Whether `other` is a Graph of equal members."""
        return isinstance(other, Graph) and self.node_space == other.node_space and self.edge_space == other.edge_space

    def _flattened(self, x: GraphInstance) -> GraphInstance:
        flat = self._flat_space()
        return self._mapped(x, self, flat, lambda i, value: flatten(self._spaces[i], value))

    def _unflattened(self, x: GraphInstance) -> GraphInstance:
        flat = self._flat_space()
        return self._mapped(x, flat, self, lambda i, value: unflatten(self._spaces[i], value))

    def _mapped(self, graph: GraphInstance, source: Graph, target: Graph, function: Any) -> GraphInstance:
        """Returns a graph of `source` as one of `target` with mapped values: nodes as member 0, edges as 1."""
        nodes = stacked(
            target.node_space, [function(0, node) for node in iterate(source.batch_node_space, graph.nodes)]
        )
        if graph.edges is None or target.edge_space is None or source.batch_edge_space is None:
            return GraphInstance(nodes, None, None)
        edges = stacked(
            target.edge_space, [function(1, edge) for edge in iterate(source.batch_edge_space, graph.edges)]
        )
        return GraphInstance(nodes, edges, graph.edge_links)

    def _flat_space(self) -> Graph:
        return Graph(
            flatten_space(self.node_space), None if self.edge_space is None else flatten_space(self.edge_space)
        )

    def _same_layout(self, other: Space) -> bool:
        return (
            isinstance(other, Graph)
            and len(self._spaces) == len(other._spaces)
            and all(is_space_dtype_shape_equiv(*pair) for pair in zip(self._spaces, other._spaces, strict=True))
        )

    def _batched_with(self, spaces: Sequence[Space]) -> Space:
        return tuple_of_copies(spaces)

    def _empty(self, n: int, fn: ArrayMaker) -> tuple[GraphInstance, ...]:
        return tuple(self._one_empty(fn) for _ in range(n))

    def _one_empty(self, fn: ArrayMaker) -> GraphInstance:
        nodes = create_empty_array(self.node_space, 1, fn)
        if self.edge_space is None:
            return GraphInstance(nodes, None, None)
        return GraphInstance(nodes, create_empty_array(self.edge_space, 1, fn), fn((1, 2), dtype=np.int64))

    def _zero(self) -> GraphInstance:
        nodes = create_zero_array(self.batch_node_space)
        if self.batch_edge_space is None:
            return GraphInstance(nodes, None, None)
        return GraphInstance(nodes, create_zero_array(self.batch_edge_space), np.zeros((1, 2), dtype=np.int64))

    def _unshareable(self, function: str) -> TypeError:
        return TypeError(
            f"{self} has a dynamic shape, which shared memory cannot hold; "
            "make the AsyncVectorEnv with `shared_memory=False`"
        )


def _drawn(space: Space, n: int, name: str, given: object) -> Any:
    """Returns a batch of `n` samples from a copy of the generator; the space's own generator advances by one draw."""
    per_value = isinstance(space, Discrete) or not space._stacks
    if given is not None and per_value and not (isinstance(given, tuple) and len(given) == n):
        given = (given,) * n
    batch = batch_space(space, n)
    sample = batch.sample() if given is None else batch.sample(**{name: given})
    space.np_random.random()
    return sample


def _are_links(links: object, nodes: int, edges: int) -> bool:
    return (
        isinstance(links, np.ndarray)
        and links.dtype.kind in "iu"
        and links.shape == (edges, 2)
        and bool(((links >= 0) & (links < nodes)).all())
    )

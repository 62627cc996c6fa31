"""The tables of Atari's games and of other packages: what they say is what there is."""

from __future__ import annotations

from PIL import Image

from docs._tools.atari import Game, game_table, ids, played, register
from docs._tools.third_party import HERE, TRIALS, results, trial_tables
from docs.third_party.run import spoken


def test_a_game_is_played_for_its_row_and_its_frame(tmp_path):
    register()
    game = played("ALE/Pong-v5", tmp_path)
    assert (game.actions[0], len(game.actions), game.modes, game.difficulties) == ("NOOP", 6, [0, 1], [0, 1, 2, 3])
    with Image.open(tmp_path / "Pong.webp") as frame:
        assert frame.size == (160, 210)
    assert game.id in ids() and len(ids()) > 100


def test_numbers_that_follow_on_each_other_are_a_range():
    row = game_table([Game("ALE/Some-v5", ["NOOP"] * 18, [0, 1, 2, 3, 8], [0, 1])]).splitlines()[-1]
    assert row.endswith("| `ALE/Some-v5` | all 18 | 0-3, 8 | 0, 1 |")


def test_every_package_was_tried_and_its_program_is_there():
    assert {trial.package for trial in TRIALS} == set(results())
    assert all((HERE / trial.program).exists() for trial in TRIALS)


def test_a_row_holds_the_lines_of_the_program_and_none_of_its_libraries():
    for trial in TRIALS:
        result = results()[trial.package]
        assert not result["ok"] or spoken(trial, "\n".join(result["said"])) == result["said"], trial.package


def test_a_package_that_failed_is_listed_apart_with_the_reason():
    found = results()
    failed = TRIALS[0].package
    found[failed] = {**found[failed], "ok": False, "said": ["Error: a <reason>"]}
    works, _, fails = trial_tables(found).partition("## Failures")
    assert f"**{failed}**" in fails and "a &lt;reason>" in fails and f"**{failed}**" not in works


def test_the_page_tells_the_days_of_the_first_and_the_last_trial():
    def told(day):
        dated = {package: {**result, "date": "2026-11-22"} for package, result in results().items()}
        dated[TRIALS[0].package]["date"] = day
        return trial_tables(dated).partition(";")[0]

    assert told("2026-11-22").endswith("packages were tried on 2026-11-22")
    assert told("2026-11-26").endswith("packages were tried between 2026-11-22 and 2026-11-26")


def test_a_library_that_ran_under_gymnasium_too_has_one_row_with_both_outputs():
    found = results()
    same, other = TRIALS[0].package, TRIALS[1].package
    found[same]["reference"] = found[same]["said"]
    found[other]["reference"] = ["Error: another <value>"]
    rows = [line.split(" | ") for line in trial_tables(found).splitlines() if line.startswith("| [**")]
    ends = {package: [row[3:] for row in rows if f"**{package}**" in row[0]] for package in (same, other)}
    assert ends == {same: [["the same |"]], other: [["Error: another &lt;value> |"]]}

"""What a build requires as a file: read whole, or refused with line and key."""

from pathlib import Path

import pytest
from held import GROUNDED, HIT

from lastro.errors import InputError
from lastro.eval.bars_file import read

RECALL = "retrieval_recall_at_k"
WHOLE = f"""# what main holds
min_hit = 0.8
min_scored = 0.9
min_n = 20
tolerance = 0.1
fail_on_case = true
baseline = "kept/baseline.json"

[min]
{GROUNDED} = 1
"by_locale.pt-BR.{HIT}" = 0.7

[min_lower]
{HIT} = 0.75

[[bar]]
metric = "by_tag.table.accuracy"
min = 0.6
lower = 0.5
min_n = 30

[[bar]]
metric = "abstention.declined"
min = 0.9
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bars.toml"


def refusal(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read(file)
    return str(refused.value).replace(str(file), "bars.toml")


def test_every_kind_of_bar_can_be_written(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())

    found = read(file)

    assert found.minimums == {
        HIT: 0.8,
        GROUNDED: 1.0,
        f"by_locale.pt-BR.{HIT}": 0.7,
        "by_tag.table.accuracy": 0.6,
        "abstention.declined": 0.9,
    }
    assert found.min_lower == {HIT: 0.75, "by_tag.table.accuracy": 0.5}
    assert found.min_n_of == {"by_tag.table.accuracy": 30}
    assert (found.min_scored, found.min_n, found.tolerance) == (0.9, 20, 0.1)
    assert found.fail_on_case


def test_a_baseline_is_looked_for_beside_the_file(file: Path) -> None:
    file.write_text(WHOLE, encoding="utf-8")

    assert read(file).baseline == file.parent / "kept" / "baseline.json"


@pytest.mark.parametrize(
    "text", ["", "# none yet\n", "tolerance = 0.1\nmin_n = 20\n", "[min]\n"]
)
def test_a_file_without_a_bar_is_refused_since_all_would_hold_it(
    file: Path, text: str
) -> None:
    assert refusal(file, text) == "bars.toml: holds no bar"


@pytest.mark.parametrize("text", ["fail_on_case = true\n", "baseline = 'b.json'\n"])
def test_a_file_of_one_bar_that_is_no_floor_is_read(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")

    assert not read(file).minimums


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("min_hits = 0.8\n", "bars.toml:1: min_hits: is unknown; there are: min_hit"),
        ("\nmin_hit = 80\n", "bars.toml:2: min_hit: 80 is no share between 0 and 1"),
        ("min_hit = true\n", "bars.toml:1: min_hit: True is no share"),
        ("min_hit = '0.8'\n", "bars.toml:1: min_hit: '0.8' is no share"),
        ("min_hit = nan\n", "bars.toml:1: min_hit: nan is no share"),
        ("tolerance = inf\n", "bars.toml:1: tolerance: inf is no share"),
        ("min_n = 0\n", "bars.toml:1: min_n: 0 is no number of cases"),
        ("min_n = 2.5\n", "bars.toml:1: min_n: 2.5 is no number of cases"),
        ("fail_on_case = 1\n", "bars.toml:1: fail_on_case: is neither true nor"),
        ("baseline = 3\n", "bars.toml:1: baseline: is no path"),
        ("min = 0.8\n", "bars.toml:1: min: is no table: write [min]"),
        ("[min]\n\nhit = 0.8\n", "bars.toml:3: min.hit: 'hit' is no metric; there"),
        (
            f"[min]\nby_locale.ko.{HIT} = 0.8\n",
            'bars.toml:2: min.by_locale: holds a dot: write "by_locale.…" = X',
        ),
        ("[bar]\nmetric = 'x'\n", "bars.toml:1: bar: is no list of tables"),
        ("[[bar]]\nmin = 0.5\n", "bars.toml:1: bar.metric: names no metric"),
        (
            f"[[bar]]\nmetric = '{HIT}'\n",
            "bars.toml:2: bar.metric: has neither min nor lower",
        ),
        (
            f"[[bar]]\nmetric='{HIT}'\nmin=1\n[[bar]]\nmetric='{RECALL}'\nmin=2\n",
            "bars.toml:6: bar.min: 2 is no share",
        ),
        (
            f"[[bar]]\nmetric = '{HIT}'\nmin = 1\nleast = 1\n",
            "bars.toml:4: bar.least: is unknown; there are: metric, min, lower, min_n",
        ),
        (
            f"min_hit = 0.8\n[min]\n{HIT} = 0.7\n",
            f"bars.toml:3: min.{HIT}: {HIT} is given twice",
        ),
        ("min_hit = \n", "bars.toml:1: is no TOML from column"),
        ("min_hit = 0.8\nmin_hit = 0.9\n", "bars.toml:2: is no TOML from column"),
    ],
)
def test_what_makes_no_sense_is_refused_with_line_and_key(
    file: Path, text: str, told: str
) -> None:
    assert told in refusal(file, text)


def test_all_that_is_wrong_is_told_at_once_in_the_order_of_the_file(
    file: Path,
) -> None:
    found = refusal(file, f"min_hit = 2\nnew = 1\n[min]\n{GROUNDED} = -1\n")

    lines = [line.split(":")[1] for line in found.splitlines()]
    assert lines == ["1", "2", "4"]


def test_a_file_that_is_not_there_or_no_text_is_refused(file: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: no such file"):
        read(file)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="is not UTF-8"):
        read(file)


def test_a_device_is_refused_and_not_read_for_ever() -> None:
    with pytest.raises(InputError, match="this is a device, not a file"):
        read(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"min_hit = {'9' * 5000}", "holds a number that is too long"),
        (f"min_hit = {'[' * 5000}", "is nested too deeply"),
    ],
)
def test_what_no_reader_can_hold_is_refused(file: Path, text: str, told: str) -> None:
    assert told in refusal(file, text)


def test_two_bars_of_a_metric_do_not_ask_for_two_numbers_of_cases(file: Path) -> None:
    one = f'[[bar]]\nmetric = "{HIT}"\nmin = 0.1\nmin_n = 99\n'
    other = f'[[bar]]\nmetric = "{HIT}"\nlower = 0.1\nmin_n = {{}}\n'

    assert f"{HIT} is given another one above" in refusal(file, one + other.format(1))
    file.write_text(one + other.format(99), encoding="utf-8")
    assert read(file).min_n_of == {HIT: 99}

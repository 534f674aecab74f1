"""The corpus in the repository is well formed, and its check names what is not."""

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))  # the tools import each other, as scripts do
TOOL = runpy.run_path(str(ROOT / "tools" / "check_corpus.py"))
CORPUS = ROOT / "corpus"

INTENTS = "ask_price\tcuánto sale el pan\nask_hours\thasta qué hora están\n"
ACTS = (
    "affirm\tconfirm\tmandalo nomás\naffirm+info_question\tconfirm\tdale ¦ y cuánto tarda?\ndeny\tslot:email\tno uso\n"
)


def corpus(folder: Path, *, intents: str = INTENTS, acts: str = ACTS, second: str = "") -> Path:
    hand = folder / "hands" / "una"
    hand.mkdir(parents=True)
    (folder / "standard_intents.tsv").write_text(
        "ask_price\tPregunta el precio.\nask_hours\tPregunta horarios.\n", "utf-8"
    )
    (hand / "intents.tsv").write_text(intents, "utf-8")
    (hand / "acts.tsv").write_text(acts, "utf-8")
    if second:
        (folder / "second_labels.tsv").write_text(second, "utf-8")
    return folder


def findings(folder: Path, measured: dict[str, str] | None = None) -> list[str]:
    return [str(finding) for finding in TOOL["check"](folder, measured or {})[0]]


def test_the_corpus_is_well_formed_and_says_nothing_twice() -> None:
    intents, wrong = TOOL["read_intents"](CORPUS)
    lines, malformed = TOOL["read_hands"](CORPUS, intents)
    assert [str(finding) for finding in (*wrong, *malformed, *TOOL["doubles"](lines))] == []
    assert len(intents) == 248
    assert len(lines) >= 12_000
    assert len([line for line in lines if line.waiting]) >= 6_000
    assert len({Path(line.file).parent for line in lines}) >= 8


def test_a_good_corpus_has_no_findings(tmp_path: Path) -> None:
    assert findings(corpus(tmp_path)) == []


@pytest.mark.parametrize(
    ("intents", "said"),
    [
        ("ask_price\tcuánto\tsale\n", "2 tabs instead of 1"),
        ("ask_price cuánto sale\n", "0 tabs instead of 1"),
        ("ask_price\t\n", "an empty field"),
        ("ask_price\tcuánto sale \n", "blanks around a field"),
        ("ask_price\tcua\u0301nto sale\n", "letters that are not in Unicode's form NFC"),
        ("ask_prize\tcuánto sale\n", "no intent is called ask_prize"),
        ("beyond.ask_price\tcuánto sale\n", "no intent is called beyond.ask_price"),
        ("ask_price\tcuánto ¦ sale\n", "¦ in a message with an intent"),
    ],
)
def test_a_broken_line_of_intents_is_named(tmp_path: Path, intents: str, said: str) -> None:
    broken = corpus(tmp_path, intents=f"ask_hours\tabren hoy\n{intents}beyond.horoscope\tqué dice mi signo\n")
    assert findings(broken) == [f"hands/una/intents.tsv:2: form: {said}"]


@pytest.mark.parametrize(
    ("acts", "said"),
    [
        ("affirm\tconfirm\tdale\tya\n", "3 tabs instead of 2"),
        ("agree\tconfirm\tdale\n", "no act is called agree"),
        ("affirm+affirm\tconfirm\tdale ¦ sí\n", "affirm+affirm names an act twice in a row"),
        ("affirm\tslot:colour\tdale\n", "nothing waits for slot:colour"),
        ("affirm+thanks\tconfirm\tdale gracias\n", "0 ¦ in a message with 2 acts"),
        ("affirm\tconfirm\tdale ¦ ya\n", "1 ¦ in a message with 1 acts"),
        ("affirm+thanks\tconfirm\t¦ dale gracias\n", "an act without words beside ¦"),
    ],
)
def test_a_broken_line_of_acts_is_named(tmp_path: Path, acts: str, said: str) -> None:
    broken = corpus(tmp_path, acts=f"deny\tconfirm\tasí no\n{acts}")
    assert findings(broken) == [f"hands/una/acts.tsv:2: form: {said}"]


def test_the_command_fails_where_a_line_is_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = corpus(tmp_path, intents="ask_prize\tcuánto sale\n")
    assert TOOL["main"](["--corpus", str(broken)]) == 1
    assert "hands/una/intents.tsv:1: form: no intent is called ask_prize\n" in capsys.readouterr().out


def test_doubles_are_found_through_case_accents_marks_and_long_letters(tmp_path: Path) -> None:
    twice = corpus(tmp_path, acts="affirm\tconfirm\tsí, dale\nthanks\tnone\tsi dale\naffirm\tconfirm\tSiii daleee!\n")
    assert [found.split(": “")[0] for found in findings(twice)] == ["hands/una/acts.tsv:3: double"]


def test_one_message_has_one_label_unless_something_else_waits(tmp_path: Path) -> None:
    folder = corpus(tmp_path, acts="deny\tconfirm\tno\nunclear\tnone\tno\naffirm\tconfirm\tlisto\n")
    other = folder / "hands" / "otra"
    other.mkdir()
    (other / "acts.tsv").write_text(
        "info_question\tconfirm\tlisto?\ncancel\tconfirm\tNo.\nunclear\tnone\tno\n", "utf-8"
    )
    assert [found.split(": “")[0] for found in findings(folder)] == ["hands/una/acts.tsv:1: double"]


def test_what_is_measured_on_must_not_be_learnt_from(tmp_path: Path) -> None:
    folder = corpus(
        tmp_path / "corpus", intents="ask_price\tdisculpe cuánto cuesta el pan casero\nask_hours\tabren hoy\n"
    )
    measuring = tmp_path / "measuring"
    measuring.mkdir()
    (measuring / "set.jsonl").write_text(
        '{"text": "Disculpé, cuanto cuesta el pan casero?"}\n{"text": "otra cosa"}\n', "utf-8"
    )
    (measuring / "train.yaml").write_text("intents:\n  ask_hours:\n    examples: [abren hoy]\n", "utf-8")
    measured = TOOL["read_measured"]([measuring])
    assert set(measured) == {"Disculpé, cuanto cuesta el pan casero?", "otra cosa", "abren hoy"}
    (leak,) = findings(folder, measured)
    assert leak.startswith("hands/una/intents.tsv:1: leak: ")


def test_near_doubles_are_named_and_do_not_fail(tmp_path: Path) -> None:
    lines = "ask_price\tquiero pasar de prepago a pospago\nask_hours\tquiero pasar de pospago a prepago\n"
    folder = corpus(tmp_path, intents=lines)
    (near,) = findings(folder)
    assert near.startswith("hands/una/intents.tsv:2: near-double: ")
    assert TOOL["main"](["--corpus", str(folder)]) == 0


def test_a_second_hand_is_compared(tmp_path: Path) -> None:
    second = (
        "hands/una/intents.tsv\tcuánto sale el pan\task_price\n"
        "hands/una/intents.tsv\thasta qué hora están\task_price\n"
        "hands/una/acts.tsv\tslot:email\tno uso\tdeny\n"
    )
    found, report = TOOL["check"](corpus(tmp_path, second=second), {})
    assert found == []
    assert "A second hand agrees on 1 of 2 lines of intents.tsv; kappa 0.00.\n" in report
    assert "  1 × ask_hours, to the second hand ask_price\n" in report
    assert "A second hand agrees on 1 of 1 lines of acts.tsv; kappa 1.00.\n" in report


def test_kappa_leaves_chance_out() -> None:
    pairs = [("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "a")] * 10 + [("b", "b")] * 15
    assert TOOL["kappa"](pairs) == pytest.approx(0.4)

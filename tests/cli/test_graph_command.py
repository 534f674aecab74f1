import html
import re
import struct
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

from hilo.cli import hilo, main
from hilo.dialogue.states import RESTING, TRANSITIONS
from hilo.turn.run import TURN

AGENT = r"""
agent: trips
language: es
slots:
  name: {type: person_name, ask: "¿Cómo te llamas?"}
  city: {type: text, ask: "¿Adónde?"}
  seats: {type: number, ask: "¿Cuántos son?"}
  vip: {type: boolean, ask: "¿Ya viajaste con nosotros?"}
flows:
  trip:
    starts: [quiero viajar]
    steps:
      - collect: [name, city]
      - branch:
          "seats > 4 and city in [\"Lima\", 'Cusco']": big
          "city == 'Leticia'": handoff
          "name is empty": help
      - {say: '¡Gracias, {name}! "Listo" & <b>seguro</b>; sigue el resto de este texto', when: vip == true}
      - {confirm: "¿Está bien?", name: end}
      - {end: hecho, when: seats < 3}
      - {set: {vip: true}}
      - {go: "last one"}
      - {confirm: "¿Seguimos?", name: big, no: "last one"}
      - {say: thanks, name: "last one"}
      - {handoff: "grupo #35; de $$x$$"}
  help:
    starts: [ayuda]
    steps: [{say: thanks}]
templates:
  thanks: "¡Mil gracias!"
nodes:
  - {node: "nodes.py:score", after: understand}
"""
BOX = re.compile(r'^    (\w+)[\[({]+"(.*?)"[\])}]+$', re.MULTILINE)
ARROW = re.compile(r'^    (\w+) (<?-->)(?:\|"(.*?)"\|)? (\w+)$', re.MULTILINE)


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    (tmp_path / "agent.yaml").write_text(AGENT, encoding="utf-8")
    (tmp_path / "nodes.py").write_text("async def score(state):\n    return ()\n", encoding="utf-8")
    return tmp_path


def _run(*arguments: object) -> str:
    result = CliRunner().invoke(hilo, ["graph", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def _boxes(text: str) -> dict[str, str]:
    found = BOX.findall(text)
    assert len(found) == len(dict(found))
    return {box_id: html.unescape(label.replace("#quot;", '"')) for box_id, label in found}


def _arrows(text: str) -> list[tuple[str, str, str]]:
    return [
        (source, html.unescape(label.replace("#quot;", '"')), target)
        for source, _, label, target in ARROW.findall(text)
    ]


def _trip(agent: Path) -> str:
    return _run(agent, "--what", "flows").split("\n---\n")[1].split("\n\n---")[0]


# --- Mermaid ------------------------------------------------------------------------------------------


def test_without_options_the_turn_comes_first_and_then_each_flow(agent: Path) -> None:
    titles = re.findall(r'^title: "(.*)"$', _run(agent), re.MULTILINE)
    assert titles == ["trips: one turn", "trips: the flow trip", "trips: the flow help"]


def test_the_turn_has_the_nodes_of_the_agent(agent: Path) -> None:
    boxes = _boxes(_run(agent, "--what", "turn"))
    assert boxes.keys() == {"START", "END", "score", *TURN.nodes}


def test_a_step_is_a_box_that_says_what_it_does(agent: Path) -> None:
    boxes = _boxes(_trip(agent))
    assert boxes["collect_1"] == "collect name, city"
    assert boxes["say_3"].startswith('say<br/>“¡Gracias, {name}! "Listo" & ')
    assert boxes["say_3"].endswith("only when vip == true")
    assert boxes["N9"] == "say<br/>“¡Mil gracias!”"
    assert boxes["set_6"] == "set vip = true"


def test_each_way_of_a_flow_appears_exactly_once_with_its_condition(agent: Path) -> None:
    assert sorted(_arrows(_trip(agent))) == sorted(
        [
            ("START", "", "collect_1"),
            ("collect_1", "", "branch_2"),
            ("branch_2", "seats > 4 and city in [\"Lima\", 'Cusco']", "big"),
            ("branch_2", "city == 'Leticia'", "HANDOFF"),
            ("branch_2", "name is empty", "FLOW_help"),
            ("branch_2", "else", "say_3"),
            ("say_3", "", "N4"),
            ("N4", "yes", "end_5"),
            ("N4", "no", "CHANGE"),
            ("CHANGE", "changed", "N4"),
            ("end_5", "", "FINISH"),
            ("end_5", "otherwise", "set_6"),
            ("set_6", "", "go_7"),
            ("go_7", "", "N9"),
            ("big", "yes", "N9"),
            ("big", "no", "N9"),
            ("N9", "", "handoff_10"),
            ("handoff_10", "", "HANDOFF"),
        ]
    )


ROUNDS = """
agent: rounds
slots:
  guest: {type: person_name, ask: "¿Quién viene?"}
  more: {type: boolean, ask: "¿Alguien más?"}
flows:
  guests:
    starts: always
    steps:
      - {repeat: [{collect: guest}, {collect: more}], until: not more, at_most: 9}
      - {say: "Anotados."}
"""


def test_a_repeated_block_is_drawn_as_its_steps_and_the_way_back(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(ROUNDS, encoding="utf-8")
    text = _run(tmp_path, "--what", "flows")
    assert _boxes(text)["repeat_3"] == "once more?<br/>at most 9 rounds<br/>until not more"
    assert _arrows(text) == [
        ("START", "", "collect_1"),
        ("collect_1", "", "collect_2"),
        ("collect_2", "", "repeat_3"),
        ("repeat_3", "", "say_4"),
        ("repeat_3", "again", "collect_1"),
        ("say_4", "", "FINISH"),
    ]


def test_all_arrows_lead_from_a_box_to_a_box(agent: Path) -> None:
    for what in ("turn", "states"):
        text = _run(agent, "--what", what)
        assert {end for source, _, target in _arrows(text) for end in (source, target)} == _boxes(text).keys()


def test_the_states_show_each_allowed_change(agent: Path) -> None:
    text = _run(agent, "--what", "states")
    assert _boxes(text).keys() == set(TRANSITIONS)
    drawn = [(source, target) for source, _, _, target in ARROW.findall(text)]
    drawn += [(target, source) for source, line, _, target in ARROW.findall(text) if line == "<-->"]
    allowed = [(before, after) for before, row in TRANSITIONS.items() for after in row if before is not after]
    assert sorted(drawn) == sorted(allowed)
    resting = re.search(r"class (\S+) resting_box", text)
    assert resting
    assert set(resting[1].split(",")) == RESTING


# --- files --------------------------------------------------------------------------------------------


def test_each_picture_is_a_file_of_its_own(agent: Path, tmp_path: Path) -> None:
    printed = _run(agent, "-o", tmp_path / "x.mmd")
    names = ["x.mmd", "x-flow-trip.mmd", "x-flow-help.mmd"]
    assert printed.split() == [str(tmp_path / name) for name in names]
    texts = [(tmp_path / name).read_text(encoding="utf-8") for name in names]
    assert "\n".join(texts) == _run(agent)


def test_an_svg_is_xml_with_all_labels(agent: Path, tmp_path: Path) -> None:
    _run(agent, "--what", "flows", "-o", tmp_path / "x.svg")
    root = ET.fromstring((tmp_path / "x.svg").read_text(encoding="utf-8"))  # noqa: S314 -- our own file
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    shown = "".join("".join(root.itertext()).split())
    trip = _trip(agent)
    labels = [*_boxes(trip).values(), *(label for _, label, _ in _arrows(trip))]
    for line in (line for label in labels for line in label.split("<br/>")):
        assert "".join(line.split()) in shown


def test_a_png_has_its_signature_and_a_sane_size(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(ROUNDS, encoding="utf-8")
    file = tmp_path / "x.PNG"
    _run(tmp_path, "--what", "flows", "-o", file)  # a small one: the whole turn takes the renderer seven seconds
    content = file.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert 300 < width < 2000
    assert 800 < height < 3000


# --- errors -------------------------------------------------------------------------------------------


def _error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    monkeypatch.setattr(sys, "argv", ["hilo", "graph", *map(str, arguments)])
    with pytest.raises(SystemExit) as exit_:
        main()
    assert exit_.value.code == 1
    return capsys.readouterr().err


@pytest.mark.parametrize("name", ["x.gif", "x", "x.svg.gz"])
def test_an_unknown_kind_of_file_is_an_error(
    agent: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "must end in .svg, .png, .mmd" in _error(monkeypatch, capsys, agent, "-o", agent / name)
    assert not (agent / name).exists()


def test_a_file_that_cannot_be_written_is_an_error(
    agent: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "cannot write" in _error(monkeypatch, capsys, agent, "-o", agent / "nowhere" / "x.mmd")


def test_no_agent_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "there is no agent" in _error(monkeypatch, capsys, tmp_path / "nothing")


def test_a_picture_without_the_renderer_says_what_to_install(
    agent: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mermaidx", None)
    assert "hilo-chat[graph]" in _error(monkeypatch, capsys, agent, "-o", agent / "x.svg")


def test_the_modes_of_an_agent_are_drawn_between_its_turn_and_its_flows(tmp_path: Path) -> None:
    flows = "flows: {a: {starts: [ya], steps: [{say: greeting, mode: BUSY}]}}\n"
    modes = "modes: {FREE: {to: [BUSY]}, BUSY: {to: [FREE]}, PERSON: {operator: true}}\n"
    (tmp_path / "agent.yaml").write_text(f"agent: modal\n{flows}{modes}", encoding="utf-8")
    assert re.findall(r'^title: "(.*)"$', _run(tmp_path), re.MULTILINE) == [
        "modal: one turn",
        "modal: its modes",
        "modal: the flow a",
    ]
    picture = _run(tmp_path, "--what", "modes")
    assert "MODE_FREE -.-> MODE_BUSY" in picture
    assert _boxes(picture)["MODE_PERSON"] == "PERSON<br/>an operator holds the session"


def test_an_agent_without_modes_has_none_to_draw(agent: Path) -> None:
    result = CliRunner().invoke(hilo, ["graph", str(agent), "--what", "modes"])
    assert result.exit_code != 0
    assert "the agent has no modes" in str(result.exception)

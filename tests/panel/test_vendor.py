"""The JavaScript of others is what its packages published, and the page loads nothing from elsewhere."""

import hashlib
import json
import re
from pathlib import Path
from typing import get_args

import pytest

from hilo.agent.phrases.handoffs import TITLES
from hilo.dialogue import commands
from hilo.server.statics import statics
from hilo.store.handoffs import TRIGGERS
from hilo.turn.run import TURN

STATIC = Path(__file__).parents[2] / "src" / "hilo" / "server" / "static"
LONGEST = 400  # lines of a module


def test_vendored_files_are_what_was_checked() -> None:
    listed = json.loads((STATIC / "vendor" / "checksums.json").read_text())
    found = {file.name: file for file in (STATIC / "vendor").glob("*.js")}
    assert listed.keys() == found.keys()
    for name, about in listed.items():
        assert hashlib.sha256(found[name].read_bytes()).hexdigest() == about["sha256"], name
        assert (STATIC / "vendor" / about["licence"]).stat().st_size > 500


def test_every_import_is_a_file_of_ours() -> None:
    for name, content in statics().items():
        if not name.startswith(("panel/", "vendor/")) or not name.endswith(".js"):
            continue
        folder = Path(name).parent
        for target in re.findall(r'(?:from|import) ?"([^"]+)"', content.decode()):
            path = (STATIC / folder / target).resolve()
            assert path.is_file(), f"{name} imports {target}"


def test_no_module_is_long_and_none_makes_code_or_html_of_texts() -> None:
    for name, content in statics().items():
        if name.startswith("panel/") and name.endswith(".js"):
            text = content.decode()
            assert text.count("\n") <= LONGEST, name
            for danger in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
                assert danger not in text, f"{name}: {danger}"


def _keys(code: str) -> list[str]:
    files = [statics()[f"panel/texts_{code}{part}.js"].decode() for part in ("", "_pages")]
    return re.findall(r"^  (\w+):", "\n".join(files), re.MULTILINE)


def test_both_languages_have_every_text() -> None:
    keys = [_keys(code) for code in ("es", "en")]
    assert keys[0] == keys[1]
    assert len(keys[0]) == len(set(keys[0]))


def test_every_text_that_is_asked_for_is_there() -> None:
    known = set(_keys("es"))
    for name, content in statics().items():
        if name.startswith("panel/") and name.endswith(".js"):
            asked = set(re.findall(r'\bt\("(\w+)"', content.decode()))
            assert asked <= known, f"{name}: {asked - known}"


def _group(code: str, name: str) -> set[str]:
    """The names in a group of texts, such as `commands: { SetSlot: "Anotó", … }`."""
    [inside] = re.findall(rf"^  {name}: \{{ (.*) \}},$", statics()[f"panel/texts_{code}.js"].decode(), re.MULTILINE)
    return set(re.findall(r"(\w+): \"", inside))


@pytest.mark.parametrize("code", ["es", "en"])
def test_every_command_and_every_reason_for_a_person_is_said_in_words(code: str) -> None:
    proposed = {each.__name__ for each in get_args(get_args(commands.Command)[0])}
    assert proposed <= _group(code, "commands")
    wanted = {TRIGGERS.get(policy, policy) for policy in TITLES}
    assert wanted <= _group(code, "triggers")
    assert set(TURN.nodes) == _group(code, "nodeNames")

"""Every slot type says all that is asked of one, in every language; what a type says is what the rest of Hilo does."""

import runpy
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from hilo.agent.declaration import Agent, Slot
from hilo.agent.parse import parse
from hilo.agent.texts import BUILT_IN, complete, phrases, placeholders
from hilo.agent.values import Accepted, Invalid, accept
from hilo.dialogue.wording import spoken
from hilo.errors import FileProblems
from hilo.recognisers.normalise import normalise
from hilo.slots import ALIASES, TYPES
from hilo.slots.slot_type import LANGUAGES, Language, SlotType
from hilo.understanding.acts.recognise import find_acts
from hilo.understanding.slot_values import Values

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
ROOT = Path(__file__).parents[2]
MINIMAL = """
agent: minimal
slots:
  x: {type: TYPE, ask: "¿x?"}
flows:
  only: {starts: always, steps: [{collect: [x]}]}
"""

every_type = pytest.mark.parametrize("slot_type", TYPES.values(), ids=TYPES)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def slot_of(slot_type: SlotType) -> Slot:
    needed: dict[str, Any] = {"choices": {"verde": (), "roja": ()}} if "choices" in slot_type.needs else {}
    return Slot(type=slot_type.name, **needed)


def values(text: str, language: str) -> Values:
    folded = Agent(agent="a", language=language).fold(text)
    return Values(folded, find_acts(folded), NOW, "", language)


# --- languages ------------------------------------------------------------------------------------------


@every_type
@every_language
def test_what_a_type_says_is_among_the_phrases_of_each_language(slot_type: SlotType, language: Language) -> None:
    for name, wordings in slot_type.phrases.items():
        template = phrases(language)[name]
        assert template.variants == wordings[language], (slot_type.name, language, name)
        assert all(text.strip() for text in template.variants), (slot_type.name, language, name)
        assert placeholders(template) <= BUILT_IN | {"day", "month", "year"}, (slot_type.name, language, name)


@every_type
def test_whatever_a_type_refuses_can_be_explained(slot_type: SlotType) -> None:
    refused = accept(slot_of(slot_type), "")
    assert isinstance(refused, Invalid)
    assert all(refused.problem in phrases(language) for language in LANGUAGES)
    assert all(slot_type.out_of_range in phrases(language) for language in LANGUAGES)


@every_type
@every_language
def test_the_example_of_each_language_is_found_stored_and_shown(slot_type: SlotType, language: Language) -> None:
    example, slot = slot_type.examples[language], slot_of(slot_type)
    found = values(example.said, language).of(slot, asked=True)
    read = example.said if slot_type.is_free or slot_type.is_note else found[0].value
    assert accept(slot, read) == Accepted(example.stored)
    assert accept(slot, example.stored) == Accepted(example.stored)
    agent = complete(Agent(agent="a", language=language, slots={"x": slot}))
    assert spoken(agent, "x", example.stored) == example.shown


@every_language
def test_a_type_without_a_phrase_in_one_language_cannot_be_made(language: Language) -> None:
    email = TYPES["email"]
    others = {each: wordings for each, wordings in email.phrases["invalid.email"].items() if each != language}
    with pytest.raises(ValueError, match=rf"slot type email: invalid\.email is missing in {language}$"):
        replace(email, phrases={"invalid.email": others})


@every_language
def test_a_type_without_an_example_in_one_language_cannot_be_made(language: Language) -> None:
    others = {each: example for each, example in TYPES["email"].examples.items() if each != language}
    with pytest.raises(ValueError, match=rf"slot type email: examples is missing in {language}$"):
        replace(TYPES["email"], examples=others)


def test_a_type_without_an_explanation_cannot_be_made() -> None:
    with pytest.raises(ValueError, match=r"slot type email: the phrase invalid\.email is missing"):
        replace(TYPES["email"], phrases={})


# --- what follows from the types --------------------------------------------------------------------------


def test_agent_files_and_their_schema_know_exactly_the_types() -> None:
    schema = TypeAdapter(Agent).json_schema()
    assert schema["$defs"]["Slot"]["properties"]["type"]["enum"] == list(TYPES)


def test_a_module_is_called_like_its_type() -> None:
    modules = {path.stem for path in (ROOT / "src" / "hilo" / "slots").glob("*.py")}
    assert modules - {"__init__", "places", "slot_type", "utterance"} == set(TYPES)


@every_type
def test_the_keys_of_a_type_are_keys_of_slots(slot_type: SlotType) -> None:
    known = {each.name for each in fields(Slot)}
    assert slot_type.keys <= known
    assert slot_type.needs.keys() <= slot_type.keys


def test_the_table_in_the_docs_is_what_the_types_say() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "slot_table.py"))
    assert tool["written"]() == tool["PAGE"].read_text("utf-8"), "run python tools/slot_table.py"


# --- hints ------------------------------------------------------------------------------------------------


def hint_for(word: str) -> str:
    with pytest.raises(FileProblems) as raised:
        parse(MINIMAL.replace("TYPE", word))
    return raised.value.problems[0].hint


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("name", "person_name"), ("nombre", "person_name"), ("Nombre", "person_name"), ("mail", "email"),
        ("tel", "phone"), ("telefono", "phone"), ("teléfono", "phone"), ("telefno", "phone"), ("integer", "number"),
        ("string", "text"), ("bool", "boolean"), ("fecha", "date"), ("hora", "time"), ("precio", "money"),
        ("dni", "national_id"), ("ciudad", "city"), ("direccion", "address"), ("enum", "choice"), ("link", "url"),
        ("phon", "phone"), ("persn_name", "person_name"),
    ],
)  # fmt: skip
def test_another_word_for_a_type_gets_a_hint(written: str, meant: str) -> None:
    assert hint_for(written) == f"did you mean `{meant}`?"


def test_a_word_for_no_type_gets_all_types() -> None:
    assert hint_for("zzzz") == f"one of: {', '.join(TYPES)}"


def test_an_alias_means_one_type_and_is_none() -> None:
    assert len(ALIASES) == sum(len(each.aliases) for each in TYPES.values())
    assert not ALIASES.keys() & TYPES.keys()
    assert all(alias == normalise(alias).folded for alias in ALIASES)

"""Agent files: what is read, and what is refused with a place and a hint."""

import json
from datetime import timedelta
from decimal import Decimal

import pytest

from hilo.agent.instructions import AskConfirmation, SayTemplate
from hilo.agent.parse import json_schema, parse
from hilo.agent.policies import POLICIES, BasePolicy, KeywordPolicy, TimeoutPolicy
from hilo.agent.steps.collect import Collected, CollectStep
from hilo.errors import FileProblems

MINIMAL = """\
agent: tiny
slots:
  email: {type: email, ask: "¿Tu correo?"}
flows:
  capture:
    starts: always
    steps:
      - collect: email
"""


def problems(text: str) -> list[str]:
    with pytest.raises(FileProblems) as caught:
        parse(text, file="a.yaml")
    return [str(problem) for problem in caught.value.problems]


def test_eight_lines_are_an_agent() -> None:
    agent = parse(MINIMAL)
    assert agent.agent == "tiny"
    assert agent.language == "es"
    assert agent.flows["capture"].steps == (CollectStep(collect=Collected(slot=("email",))),)
    assert [step.name for step in agent.compiled["capture"].steps] == ["collect_1"]
    assert agent.flows["capture"].starts_by_itself


def test_the_same_text_is_the_same_version() -> None:
    assert parse(MINIMAL).version == parse(MINIMAL).version
    assert parse(MINIMAL).version != parse(MINIMAL + "# more\n").version


def test_short_forms_are_widened() -> None:
    more = "templates: {bye: [Adiós, Chau]}\nescalation: [{keyword: humano}, {timeout: 1h 30m}]\n"
    agent = parse(MINIMAL + more)
    assert agent.templates["bye"].variants == ("Adiós", "Chau")
    assert agent.escalation == (KeywordPolicy(keyword=("humano",)), TimeoutPolicy(timeout=timedelta(minutes=90)))


def test_a_text_inside_a_step_becomes_a_template_of_the_flow() -> None:
    agent = parse(MINIMAL + '      - say: "Anoté {email}."\n      - confirm: "¿Va {email}?"\n')
    _, said, confirmed = agent.compiled["capture"].steps
    assert said.does == SayTemplate("capture.say_2")
    assert confirmed.does == AskConfirmation("capture.confirm_3")
    assert agent.templates["capture.say_2"].text == "Anoté {email}."


def test_an_agent_may_replace_what_the_engine_says() -> None:
    assert parse(MINIMAL).templates["greeting"].text == "¡Hola!"
    assert parse(MINIMAL + "templates: {greeting: Buenas}\n").templates["greeting"].text == "Buenas"


def test_words_that_yaml_takes_for_booleans_stay_words() -> None:
    agent = parse(MINIMAL + '      - confirm: "¿Va?"\n        no: change\ntemplates: {si: no, on: yes}\n')
    assert agent.templates["si"].text == "no"
    assert agent.templates["on"].text == "yes"


def test_amounts_are_exact_decimals() -> None:
    agent = parse(MINIMAL.replace("type: email", "type: number, min: 0.1, max: 12"))
    assert agent.slots["email"].min == Decimal("0.1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MINIMAL.replace("agent: tiny", "agnt: tiny"), "a.yaml:1:1: unknown key `agnt` (did you mean `agent`?)"),
        (
            MINIMAL.replace("type: email", "type: emial"),
            "a.yaml:3:17: `emial` is not known here (did you mean `email`?)",
        ),
        (MINIMAL.replace("type: email", "tipe: email"), "a.yaml:3:11: unknown key `tipe` (did you mean `type`?)"),
        (
            MINIMAL.replace("collect: email", "colect: email"),
            "a.yaml:8:9: no known kind of step (did you mean `collect`?)",
        ),
        (
            MINIMAL + "      - repeat: [{colect: email}]\n",
            "a.yaml:9:18: no known kind of step (did you mean `collect`?)",
        ),
        (
            MINIMAL + "      - repeat: {collect: email}\n",
            "a.yaml:9:17: `repeat` must be a list, not keys (write `[first, second]`, or a line with `- ` for each)",
        ),
        (MINIMAL + "facts: [x]\n", "`facts` must have keys of its own (write `key: value`)"),
        (MINIMAL.replace("collect: email", "collect: mail"), "slot `mail` is not declared (did you mean `email`?)"),
        (
            MINIMAL + "      - say: tanks\ntemplates: {thanks: Hola}\n",
            "template `tanks` is not declared (did you mean `thanks`?)",
        ),
        (MINIMAL + "      - call: captur\n", "flow `captur` is not declared (did you mean `capture`?)"),
        (MINIMAL + "      - go: nowhere\n", "step or flow `nowhere` is not declared"),
        (MINIMAL + '      - say: "Hola {nombre}"\n', "slot `nombre` is not declared"),
        (MINIMAL + "      - branch: {emial == 'x': end}\n", "slot `emial` is not declared (did you mean `email`?)"),
        (MINIMAL + "      - branch: {'email ==': end}\n", "`email ==` is not a condition"),
        (MINIMAL + "      - branch: {'__import__(1)': end}\n", "uses Call, which conditions do not have"),
        (MINIMAL + "      - end: done\n      - say: hola a todos\n", "a.yaml:10:9: no path leads to this step"),
        (MINIMAL + "  other:\n    steps: [{end: x}]\n", "a.yaml:9:3: nothing starts the flow `other`"),
        (
            MINIMAL + "  other:\n    like: cancel_oder\n    steps: [{end: x}]\n",
            "standard intent `cancel_oder` is not declared (did you mean `cancel_order`?)",
        ),
        (MINIMAL + "  other:\n    starts: always\n    steps: [{end: x}]\n", "only one flow can start always"),
        (MINIMAL.replace("always", "allways"), "did you mean `always`?"),
        (
            MINIMAL.replace("starts: always", 'starts: ["{emial}"]'),
            "slot `emial` is not declared (did you mean `email`?)",
        ),
        (MINIMAL.replace("email, ask", "email, pattern: '(?=a)', ask"), "bad pattern: invalid perl operator"),
        (MINIMAL.replace("email, ask", "email, pattern: '(a+', ask"), "bad pattern: missing )"),
        (MINIMAL.replace('ask: "¿Tu correo?"', "required: true"), "`email` is collected, but has no question"),
        (MINIMAL.replace("type: email", "type: choice"), "a choice needs `choices`"),
        (
            MINIMAL.replace("type: email", "type: email, choices: [a]"),
            "address or choice, this one is email",
        ),
        (MINIMAL.replace("type: email", "type: number, min: 5, max: 2"), "min 5 is greater than max 2"),
        (
            MINIMAL.replace("type: email", "type: email, min: 5"),
            "money or number, this one is email",
        ),
        (MINIMAL + "      - set: {email: nothing}\n", "`nothing` is no value for a slot of type email"),
        (MINIMAL + "country: Argentina\n", "`Argentina` is not a country"),
        (MINIMAL + "timezone: Mars/Olympus\n", "`Mars/Olympus` is not a time zone"),
        (MINIMAL + "escalation: [{keywrd: x}]\n", "no known kind of policy (did you mean `keyword`?)"),
        (MINIMAL + "escalation: [{timeout: soon}]\n", "`timeout` must be a duration such as 90s"),
        (MINIMAL + "escalation: [{sentiment: {below: -3}}]\n", "`below` is from -1 to less than 0"),
        (MINIMAL + "escalation: [{sentiment: {below: 0}}]\n", "`below` is from -1 to less than 0"),
        (MINIMAL + "escalation: [{timeout: 0m}]\n", "a timeout must be longer than nothing"),
        (MINIMAL + "escalation: [{llm_intent: buy}]\n", "intent `buy` is not declared"),
        (MINIMAL + "      - set: {email: [1]}\n", "`email` must be a text, a number, true or false"),
        (MINIMAL + "      - branch: {\"email is 'x'\": end}\n", "says `is` to something else"),
        (MINIMAL + "      - branch: {\"'x' in email\": end}\n", "says `in` to something else"),
        (MINIMAL.replace("¿Tu correo?", " "), "an empty text says nothing"),
        (MINIMAL.replace("agent: tiny", "agent: !!str tiny"), "tags (tag:yaml.org,2002:str) are not allowed"),
        (MINIMAL + "  ask:\n    starts: [hola]\n    steps: [{end: x}]\n", "`ask` is a word of the language"),
        (MINIMAL + "nodes: [{node: score, after: validate}]\n", "`score` does not name a function"),
        (MINIMAL + "nodes: [{node: 'n.py:f', after: decide}]\n", "`decide` has no node of yours beside it"),
        (MINIMAL.replace("agent: tiny", "agent: Tiny Agent"), "`Tiny Agent` is not a name"),
        (MINIMAL.replace("agent: tiny\n", ""), "a.yaml:1:1: `agent` is missing"),
        (MINIMAL + "agent: again\n", "a.yaml:9:1: `agent` is here twice (first in line 1)"),
        (MINIMAL + "version: 3\n", "unknown key `version`"),
        ("a: &x 1\nb: *x\n", "a.yaml:1:4: aliases and anchors (& and *) are not allowed"),
        ("agent: [unclosed\n", "not valid YAML"),
        ("agent: x\n\tslots: {}\n", "indent with spaces, not tabs"),
        ("just a text\n", "an agent file is a mapping"),
        ("", "an agent file is a mapping"),
        ("[" * 30 + "]" * 30, "nested deeper than 20 levels"),
        ("a: " + "x" * 1_000_001, "the file is larger than"),
        ("? [a, b]\n: 1\n" + MINIMAL, "a key must be a plain word"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_a_hint(text: str, expected: str) -> None:
    assert any(expected in line for line in problems(text)), problems(text)


def test_all_problems_come_at_once_in_reading_order() -> None:
    text = MINIMAL.replace("type: email", "type: emial").replace("collect: email", "collect: mail") + "langage: es\n"
    found = problems(text)
    assert [line.split(": ")[0] for line in found] == ["a.yaml:3:17", "a.yaml:8:18", "a.yaml:9:1"]


def test_a_policy_that_cannot_be_read_hides_no_other_problem() -> None:
    text = MINIMAL.replace("collect: email", "collect: mail")
    with pytest.raises(FileProblems) as raised:
        parse(text + "escalation:\n  - keywrd: [a]\n  - stuck: 0\n", file="a.yaml")
    lines = [problem.message for problem in raised.value.problems]
    assert lines == ["slot `mail` is not declared", "no known kind of policy", "`stuck` is at least 1"]


def test_every_policy_can_be_written() -> None:
    assert set(POLICIES.values()) == set(BasePolicy.__subclasses__())


def test_the_schema_knows_every_key_and_no_secrets() -> None:
    schema = json_schema()
    assert {"agent", "slots", "flows", "escalation", "templates", "modes", "intents"} <= set(schema["properties"])
    assert "version" not in schema["properties"]
    assert schema["additionalProperties"] is False
    json.dumps(schema)

"""Prompts: versioned, the same for all sessions in a mode, and nothing of the session or the contact in them."""

import json
from typing import get_args

import pytest
from model_talks import clock, kiosk, talking, wants

from hilo.testing.models.answers import ReceivedRequest, Says
from hilo.turn.model_requests.prompts import Part, bounded, prompt, quoted, system

SECRET = "Wolfgang Zacarías"  # noqa: S105 -- a name that nobody else has
EMPTY = {"alternatives": [], "topic": "other", "acts": [], "slots": [], "calls": [], "answer": ""}
VAGUE = "mmm necesito algo de ustedes vecino"


def static(asked: ReceivedRequest) -> bytes:
    """What a provider caches."""
    return json.dumps([asked.body.get("system"), asked.body.get("tools"), asked.body.get("output_config")]).encode()


@pytest.mark.parametrize("name", get_args(Part))
def test_every_prompt_says_its_version_and_is_filled_whole(name: Part) -> None:
    assert prompt(name).version.isalnum()
    for agent in (kiosk().agent, clock().agent):
        filled = system(agent, name, mode=agent.first_mode)
        assert "{{" not in filled
        assert "version" not in filled.splitlines()[0]


async def test_system_and_tools_are_the_same_bytes_in_all_turns_of_a_mode() -> None:
    start, add = wants(("dialogue_start_flow", {"flow": "survey"})), wants(("add", {"product": "agua"}))
    async with talking(
        kiosk(grounded="loose"), Says("Hola."), start, Says("¿Sí?"), add, Says("Listo."), Says("Ajá.")
    ) as talk:
        for text in (VAGUE, f"{VAGUE} {SECRET}", VAGUE, VAGUE):
            await talk.say(text)
        first, second, third, fourth, after, last = map(static, talk.asked)
        assert first == second == third == fourth  # a flow under way changes nothing
        assert after == last != first  # another mode
        assert all(SECRET.encode() not in each for each in (first, last))


async def test_the_router_and_the_generator_have_the_same_bytes_for_everybody() -> None:
    routes, words = Says(json.dumps({**EMPTY, "intent": "other", "confidence": 95})), Says("Claro.")
    seen = []
    for name in ("Ana Pérez", SECRET):
        async with talking(clock(), routes, words, routes, words) as talk:
            await talk.say(f"mmm soy {name} y necesito algo, ¿sí?")
            await talk.say("mmm y otra cosa, ¿puede ser?")
            seen.append(tuple(map(static, talk.asked)))
            assert SECRET not in json.dumps([each.body["system"] for each in talk.asked], ensure_ascii=False)
    assert seen[0] == seen[1]
    assert seen[0][:2] == seen[0][2:]


async def test_what_changes_is_in_the_last_message() -> None:
    named = wants(("dialogue_set_slot", {"slot": "name", "value": SECRET}))
    async with talking(kiosk(grounded="loose"), named, Says("Hola.")) as talk:
        await talk.say(VAGUE)
        await talk.say(VAGUE)
        assert f'"known": {{"name": "{SECRET}"}}' in talk.asked[-1].last
        assert '"mode": "IDLE"' in talk.asked[-1].last


async def test_only_the_mode_in_force_is_spoken_of() -> None:
    text = system(kiosk().agent, "loop", mode="IDLE")
    assert "checkout" in text
    assert "pay(" not in text
    assert "book" not in system(clock().agent, "router")


@pytest.mark.parametrize(
    "text",
    [
        "</message>",
        "< / message >",
        "<\tSystem>",
        "<\u200b/message>",
        "</MESSAGE\n>",
        "<earlier>",
        "<instructions x=1>",
    ],
)
def test_no_text_can_close_or_open_our_brackets(text: str) -> None:
    assert "<" not in quoted(text)


@pytest.mark.parametrize("text", ["2 < 3", "<b>hola</b>", "<messages>", "a<b"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert quoted(text) == text


def test_what_was_left_out_is_said() -> None:
    assert bounded("abcdef", 6) == "abcdef"
    assert bounded("abcdefg", 6) == "abcdef … (1 characters left out)"

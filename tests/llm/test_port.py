import subprocess
import sys

import pytest

from hilo.llm.anthropic import AnthropicModel, AnthropicSettings
from hilo.llm.model import (
    Message,
    ModelAdapter,
    ModelError,
    ModelReply,
    Request,
    Spent,
    TextPart,
    ToolUse,
    ToolUseResult,
)
from hilo.llm.openai import OpenAIModel, OpenAISettings
from hilo.testing.models.scripted import ModelCase, ScriptedModel, calls, gives, mentions, says
from hilo.testing.models.table import Case, NoCase

SLOW = {"anthropic", "openai", "httpx2", "httpx", "pydantic", "langchain_core", "asyncio", "re2", "numpy"}


def ask(text: str) -> Request:
    return Request((Message("user", (TextPart(text),)),))


def test_the_port_loads_nothing_slow_and_the_adapters_load_no_sdk() -> None:
    port_alone = "import sys, hilo.llm.model; print(*sys.modules); "
    code = port_alone + "import hilo.llm.anthropic, hilo.llm.openai, hilo.llm.langchain; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout  # noqa: S603
    port, adapters = (set(line.split()) for line in out.splitlines())
    assert not SLOW & port
    assert not {"anthropic", "openai", "langchain_core", "httpx2"} & adapters


def test_a_reply_is_a_message_of_the_next_request() -> None:
    reply = ModelReply((TextPart("Voy"), ToolUse("t1", "hora", {})), "tool_use", Spent(1, 2))
    assert reply.message == Message("assistant", reply.parts)
    assert (reply.text, reply.tool_uses) == ("Voy", (ToolUse("t1", "hora", {}),))


def test_settings_do_not_show_their_keys() -> None:
    shown = repr(AnthropicSettings("secreto", "a", "b")) + repr(OpenAISettings("url", "a", "b", "secreto"))
    assert "secreto" not in shown


@pytest.mark.parametrize("name", ["anthropic", "openai"])
async def test_a_missing_sdk_is_told_with_the_fix(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    claude, local = AnthropicSettings("k", "a", "b"), OpenAISettings("http://127.0.0.1:9", "a", "b")
    model: ModelAdapter = AnthropicModel(claude) if name == "anthropic" else OpenAIModel(local)
    with pytest.raises(ModelError, match=rf"pip install 'hilo-chat\[{name}\]'"):
        await model.complete(ask("hola"))
    await model.aclose()


async def test_a_scripted_model_answers_in_turn_or_by_what_is_said() -> None:
    script: list[ModelCase | ModelReply] = [
        Case(mentions("hora"), calls(("hora", {"zona": "UTC"}))),
        says("uno"),
        gives({"intent": "x"}),
    ]
    model = ScriptedModel(script)
    port: ModelAdapter = model
    assert (await port.complete(ask("¿Qué HORA es?"))).tool_uses[0].arguments == {"zona": "UTC"}
    assert [(await port.complete(ask("hola"))).text, (await port.complete(ask("hola"))).value] == [
        "uno",
        {"intent": "x"},
    ]
    assert len(model.requests) == 3
    with pytest.raises(NoCase, match="adiós"):
        await port.complete(ask("adiós"))


async def test_a_scripted_model_streams_words_and_raises_errors() -> None:
    script: list[ModelCase | ModelReply] = [
        Case(mentions("mal"), ModelError("overloaded", "x", spent=Spent(1))),
        says("Hola, Ana.\nAdiós"),
    ]
    model = ScriptedModel(script)
    assert [piece async for piece in model.stream(ask("hola"))] == [
        "Hola, ",
        "Ana.\n",
        "Adiós",
        says("Hola, Ana.\nAdiós"),
    ]
    with pytest.raises(ModelError, match="overloaded") as raised:
        await model.complete(ask("mal"))
    assert raised.value.spent == Spent(1)
    assert await model.count(ask("hola")) > 0


def test_results_are_part_of_what_was_said() -> None:
    request = Request((Message("user", (ToolUseResult("t1", "las tres"),)),))
    assert mentions("las tres")(request)
    assert not mentions("las dos")(request)

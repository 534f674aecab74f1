from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from hilo.app.installation import installation
from hilo.app.models import adapter, open_model
from hilo.errors import FileProblems
from hilo.llm.anthropic import AnthropicModel
from hilo.llm.configuration import Configuration, configured, read_configuration
from hilo.llm.model import Message, ModelError, Request, TextPart
from hilo.llm.openai import OpenAIModel
from hilo.llm.prices import Limit, Price
from hilo.settings import Settings, read_settings
from hilo.testing.models.answers import Says
from hilo.testing.models.openai import FakeOpenAI
from hilo.testing.models.table import Case, always

LOCAL = """
provider = "openai"
base_url = "http://127.0.0.1:9/v1"
small = "llama"
large = "llama"
currency = "COP"
as_of = 2026-12-01
[models.llama]
input = 0.1
output = 2
cache_read = 0
cache_written = 0.000001
[requests]
seconds = 2.5
[limits.turn]
money = 0.5
[limits.agent_day]
tokens = 1_000
"""

Change = Callable[..., Settings]


def read(text: str) -> Configuration:
    return configured(text, file="m.toml")


def problems(text: str) -> list[str]:
    with pytest.raises(FileProblems) as raised:
        read(text)
    return [str(each) for each in raised.value.problems]


def test_without_a_file_there_are_sensible_limits_and_example_prices() -> None:
    found = read_configuration(None)
    assert (found.provider, found.prices.example, found.prices.currency) == ("anthropic", True, "USD")
    assert {found.model("small"), found.model("large")} <= found.prices.models.keys()
    assert found.price("small").output < found.price("large").output
    limits = found.limits
    assert (limits.turn, limits.session) == (Limit(30_000), Limit(300_000))
    assert (limits.agent_day, limits.workspace_day) == (Limit(), Limit(money=Decimal(20)))
    assert (found.max_tokens, found.seconds, found.turn_seconds) == (2048, 25, 60)


def test_a_file_goes_over_the_package_key_by_key() -> None:
    found = read(LOCAL)
    assert (found.provider, found.model("large"), found.base_url) == ("openai", "llama", "http://127.0.0.1:9/v1")
    assert found.price("small") == Price(Decimal("0.1"), Decimal(2), Decimal(0), Decimal("0.000001"))
    assert found.limits.turn == Limit(30_000, Decimal("0.5"))
    assert found.limits.agent_day == Limit(1000)
    assert (found.seconds, found.turn_seconds) == (2.5, 60)
    assert (found.prices.currency, found.prices.as_of) == ("COP", date(2026, 12, 1))


def test_prices_are_examples_until_both_models_have_others() -> None:
    assert not read(LOCAL).prices.example
    assert read("[models.claude-haiku-5-5]\ninput = 2\n").prices.example
    assert not read("example = false\n").prices.example


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("= 7", "m.toml:1:1: Invalid statement"),
        ('\nprovder = "x"', "m.toml:2:1: nothing is called provder (did you mean provider?)"),
        ('provider = "gemini"', 'm.toml:1:1: provider must be "anthropic" or "openai" or "langchain"'),
        ("small = 7", "m.toml:1:1: small must be a text"),
        ('\nsmall = "x"', 'm.toml:2:1: no price for the small model x (add [models."x"] with input'),
        ('base_url = "ftp://x"', "m.toml:1:1: base_url must be an http(s) address"),
        ("as_of = 2026-01-01T00:00:00", "m.toml:1:1: as_of must be a date without quotes"),
        ('example = "no"', "m.toml:1:1: example must be true or false"),
        ("models = 7", "m.toml:1:1: models must be a table (write [models]"),
        ('[models."a.b"]\ninput = 1', "m.toml:1:1: the price of a.b has no output, cache_read, cache_written"),
        ("[models.a]\n\ninput = -1", "m.toml:3:1: models.a.input must be a number from 0"),
        ("[models.a]\ninput = nan", "m.toml:2:1: models.a.input must be a number"),
        ("[models.a]\ninput = true", "m.toml:2:1: models.a.input must be a number"),
        ("[models.a]\nother = 1", "m.toml:2:1: nothing is called models.a.other"),
        ("[limits.turn]\ntokens = 1.5", "m.toml:2:1: limits.turn.tokens must be a whole number"),
        ("[limits]\nturn.tokens = -1", "m.toml:2:1: limits.turn.tokens must be a whole number"),
        ("[limits.day]\ntokens = 1", "m.toml:1:1: nothing is called limits.day"),
        ("[requests]\nseconds = 0", "m.toml:2:1: requests.seconds must be a number from 1 to 600"),
        ("[requests]\nmax_tokens = inf", "m.toml:2:1: requests.max_tokens must be a whole number"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, told: str) -> None:
    assert problems(text)[0].startswith(told)


def test_all_that_is_wrong_is_told_at_once() -> None:
    assert len(problems('provider = 1\nsmall = ""\n[limits.turn]\nmoney = "x"\n')) == 3


def test_a_file_that_is_not_there_or_is_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileProblems, match=r"cannot be read: No such file .*HILO_MODELS"):
        read_configuration(tmp_path / "x.toml")
    (tmp_path / "y.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(FileProblems, match="not UTF-8"):
        read_configuration(tmp_path / "y.toml")


# --- which model that makes ---------------------------------------------------------------------------


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Change:
    """Settings of an environment that has just these variables."""

    def change(**variables: str) -> Settings:
        for name in ("HILO_MODELS", "HILO_MODEL_URL", "HILO_MODEL_KEY", "ANTHROPIC_API_KEY"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return read_settings()

    return change


def test_without_a_key_there_is_no_model(settings: Change) -> None:
    assert adapter(settings(), read("")) is None
    assert adapter(settings(HILO_MODEL_URL="http://127.0.0.1:9"), read("")) is None
    assert adapter(settings(), read(LOCAL.replace("base_url", "# base_url"))) is None


@pytest.mark.parametrize("name", ["HILO_MODEL_KEY", "ANTHROPIC_API_KEY"])
def test_a_key_makes_a_model(settings: Change, name: str) -> None:
    found = settings(**{name: "secreto"})
    assert isinstance(adapter(found, read("")), AnthropicModel)
    assert "secreto" not in repr(found)


async def test_a_server_of_ones_own_needs_no_key_and_never_sees_the_one_of_another(settings: Change) -> None:
    found = settings(ANTHROPIC_API_KEY="secreto")
    async with FakeOpenAI([Case(always, Says("hola"))]) as server:
        local = read(LOCAL.replace("http://127.0.0.1:9/v1", server.settings.base_url))
        model = adapter(found, local)
        assert isinstance(model, OpenAIModel)
        with pytest.raises(ModelError, match="unauthorised"):  # this one wants a key
            await model.complete(Request((Message("user", (TextPart("hola"),)),)))
        await model.aclose()
        assert server.asked[0].body["model"] == "llama"
        assert "secreto" not in str(server.asked[0].headers)


def test_the_url_of_the_environment_goes_over_the_files(settings: Change) -> None:
    model = adapter(settings(HILO_MODEL_URL="http://127.0.0.1:8/v1"), read(LOCAL.replace("base_url", "# base_url")))
    assert isinstance(model, OpenAIModel)


async def test_an_installation_does_not_start_with_a_broken_file(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text("provider = 7\n")
    broken = Settings(tmp_path, f"sqlite:///{tmp_path}/hilo.db", models_file=tmp_path / "models.toml")
    with pytest.raises(FileProblems, match=r"models.toml:1:1: provider must be"):
        async with installation(broken, []):
            pass


async def test_without_a_model_there_is_no_budget(tmp_path: Path) -> None:
    async with installation(Settings(tmp_path, f"sqlite:///{tmp_path}/hilo.db"), []) as hilo:
        assert hilo.runtime.turns.budget_for is None


def test_there_is_a_model_only_where_one_is_configured(settings: Change, tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text(LOCAL)
    assert open_model(settings()) is None
    model = open_model(settings(HILO_MODELS=str(tmp_path / "models.toml")))
    assert model is not None
    assert model.configuration.small == "llama"

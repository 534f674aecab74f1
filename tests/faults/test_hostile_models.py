"""A model that lies to the kiosk, through the real SDKs of two providers: nothing invented is written or said."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from seen import rows

from hilo.app.installation import WORKSPACE, Options, installation
from hilo.settings import Settings
from hilo.store.workspaces import ChannelRow
from hilo.testing.clock import FakeClock
from hilo.testing.models.answers import Calls, Fails, Says
from hilo.testing.models.anthropic import FakeAnthropic
from hilo.testing.models.openai import FakeOpenAI
from hilo.testing.models.server import KEY
from hilo.testing.models.table import Case, always
from hilo.testing.world import CHANNEL, RecordingChannel, World

KIOSCO = Path(__file__).parents[2] / "agents" / "kiosco"
SERVERS: dict[str, type[FakeAnthropic | FakeOpenAI]] = {"anthropic": FakeAnthropic, "openai": FakeOpenAI}
MODELS = """
provider = "{provider}"
small = "small-fake"
large = "large-fake"
[models.small-fake]
input = 1
cache_read = 0
cache_written = 0
output = 5
[models.large-fake]
input = 3
cache_read = 0
cache_written = 0
output = 15
"""
ORDER = "quiero 2 coca 500"  # then a model may change what is known of the contact
VAGUE = "mmm che y lo mío cómo viene la mano"
DOWN = Fails(400, "invalid_request_error", "nobody is there")
FALSE = {"name": "Juan Falso", "dni": "30999888", "address": "Calle Inventada 742"}
FORGED = Says("", (Calls("update_customer_info", FALSE),))
LIES = (
    "Tu pedido 48213 ya salió, pagá los $ 99.990 en https://pagos-falsos.example/77.",
    "Llamá al 0800-555-1234 y decí el código AB48213.",
    "Escribinos a cobros@pagos-falsos.example, son noventa y nueve mil pesos.",
)
INVENTED = ("48213", "99.990", "99990", "pagos-falsos", "0800", "noventa y nueve mil", "Falso", "30999888", "Inventada")


@asynccontextmanager
async def kiosk(
    folder: Path, url: str, provider: str, *answers: Says
) -> AsyncIterator[tuple[World, FakeAnthropic | FakeOpenAI]]:
    """The real kiosk with a model that gives these answers, and then is down."""
    (folder / "models.toml").write_text(MODELS.format(provider=provider), encoding="utf-8")
    clock, channel = FakeClock(), RecordingChannel()
    cases = [Case(always, each, times=1) for each in answers]
    async with SERVERS[provider]([*cases, Case(always, DOWN)]) as fake:
        settings = Settings(
            folder,
            database_url=url,
            models_file=folder / "models.toml",
            model_url=fake.settings.base_url,
            model_key=KEY,
        )
        async with installation(settings, [KIOSCO], options=Options(burst=timedelta()), clock=clock) as hilo:
            await hilo.add_channel(ChannelRow(CHANNEL, WORKSPACE, "test", "kiosco"), channel)
            yield World(hilo, clock, channel), fake


@pytest.mark.parametrize("provider", SERVERS)
async def test_invented_details_overwrite_no_record(url: str, tmp_path: Path, provider: str) -> None:
    async with kiosk(tmp_path, url, provider, FORGED, FORGED, Says("Listo, ya te anoté.")) as (world, fake):
        ordered = " ".join(await world.say("ana", ORDER))
        assert "2x Coca-Cola 500 ml" in ordered, "what was understood without the model is done all the same"
        said = " ".join(await world.say("ana", VAGUE))
        assert said
        assert "anoté" not in said  # nothing was
        assert len(fake.asked) > 1  # it heard that it was refused, and why
        assert "stands neither in what the contact wrote" in fake.asked[1].last
        assert rows(url, "SELECT name FROM kiosco_customers") == []


@pytest.mark.parametrize("provider", SERVERS)
@pytest.mark.parametrize("lie", LIES)
async def test_invented_numbers_and_links_are_never_said(url: str, tmp_path: Path, provider: str, lie: str) -> None:
    async with kiosk(tmp_path, url, provider, Says(lie), Says(lie), Says(lie)) as (world, fake):
        said = " ".join(await world.say("ana", VAGUE))
        assert fake.asked
        assert said
        assert not [each for each in INVENTED if each in said], said

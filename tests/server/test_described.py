"""The API against its own description: whatever fits it, and much that does not, is answered and never breaks."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from gateways import Gateway, gateway
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error

from depth import depth

EXAMPLES = depth(2, 7)  # of each operation, in each mode


@pytest.fixture
def opened(sqlite_url: str, agent: Path) -> Iterator[tuple[Gateway, str]]:
    """A gateway and a key, in an event loop that is idle while requests are made."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        hilo = runner.run(stack.enter_async_context(gateway(sqlite_url, agent)))
        yield hilo, runner.run(hilo.key("read", "write", "operate"))
        runner.run(stack.aclose())


LIMITS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


def test_no_request_that_the_description_allows_or_forbids_is_a_server_error(opened: tuple[Gateway, str]) -> None:
    hilo, key = opened
    schema: Any = schemathesis.openapi.from_asgi("/api/openapi.json", hilo.app)
    seen: set[int] = set()

    def attempt(case: Any) -> None:
        response = case.call(headers={"authorization": f"Bearer {key}"})
        seen.add(response.status_code)
        case.validate_response(response, checks=[not_a_server_error])

    for found in schema.get_all_operations():
        for mode in GenerationMode:
            LIMITS(given(case=found.ok().as_strategy(generation_mode=mode))(attempt))()
    assert {200, 404, 422} <= seen


def test_everything_that_is_described_is_there(opened: tuple[Gateway, str]) -> None:
    paths = opened[0].app.openapi()["paths"].keys()
    assert all(path.startswith("/api/v1/") for path in paths)
    assert {"/api/v1/sessions", "/api/v1/sessions/{session}/take-over", "/api/v1/handoffs/{handoff}/resolve"} <= paths

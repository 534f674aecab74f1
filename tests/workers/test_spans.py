"""Spans by OpenTelemetry's conventions, and nothing of what contacts write in them."""

import asyncio
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from hilo import spans
from hilo.testing.world import World


@pytest.fixture
def exported() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    spans.export_spans(SimpleSpanProcessor(exporter))
    yield exporter
    spans._tracers.clear()  # noqa: SLF001 -- the other tests have no exporter


async def test_a_turn_is_a_span_with_its_tools_inside(shop_world: World, exported: InMemorySpanExporter) -> None:
    for text in ("hola", "soy Ana Pérez", "una pizza", "sí"):
        await shop_world.say("ana", text)
    finished = exported.get_finished_spans()
    tool, turn = finished[-2:]
    assert [each.name for each in (tool, turn)] == ["execute_tool place_order", "invoke_agent tienda"]
    assert tool.parent is not None
    assert turn.context is not None
    assert tool.parent.span_id == turn.context.span_id
    assert dict(turn.attributes or {})["gen_ai.operation.name"] == "invoke_agent"
    assert not any("Ana" in str(each.attributes) for each in finished)


async def test_spans_go_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    got: list[str] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            got.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Collector)
    Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
    spans.set_up_spans()
    with spans.span("invoke_agent", "tienda", "s1"):
        pass
    for _ in range(100):
        await asyncio.sleep(0.05)
        if got:
            break
    spans._tracers.clear()  # noqa: SLF001
    server.shutdown()
    server.server_close()
    assert got == ["/v1/traces"]

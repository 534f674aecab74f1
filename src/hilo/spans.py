"""Spans named by OpenTelemetry's conventions for generative AI, where an exporter is configured; otherwise nothing."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from hilo.errors import HiloError

_tracers: list[Any] = []  # none, or the one that was set up


def set_up_spans() -> None:
    """Export spans to where the variables of OpenTelemetry (OTEL_EXPORTER_OTLP_ENDPOINT …) say."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 -- an extra
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError:
        raise HiloError("spans need an extra: pip install 'hilo[otel]'") from None
    export_spans(BatchSpanProcessor(OTLPSpanExporter()))


def export_spans(processor: Any) -> None:
    """Give spans to a processor of OpenTelemetry's."""
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 -- an extra
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415

    provider = TracerProvider(resource=Resource.create({"service.name": "hilo"}))
    provider.add_span_processor(processor)
    _tracers[:] = [provider.get_tracer("hilo")]


@contextmanager
def agent_span(agent: str, session: str) -> Iterator[None]:
    """A turn of an agent. What contacts write is not in it."""
    known = {"gen_ai.agent.name": agent, "gen_ai.conversation.id": session}
    with _span(f"invoke_agent {agent}", {"gen_ai.operation.name": "invoke_agent", **known}):
        yield


@contextmanager
def tool_span(tool: str, call_id: str) -> Iterator[None]:
    """A call of a tool."""
    known = {"gen_ai.tool.name": tool, "gen_ai.tool.call.id": call_id}
    with _span(f"execute_tool {tool}", {"gen_ai.operation.name": "execute_tool", **known}):
        yield


@contextmanager
def _span(name: str, attributes: Mapping[str, str]) -> Iterator[None]:
    if not _tracers:
        yield
        return
    with _tracers[0].start_as_current_span(name, attributes=attributes):
        yield

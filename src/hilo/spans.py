"""Spans named by OpenTelemetry's conventions for generative AI, where an exporter is configured; otherwise nothing."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from hilo.errors import HiloError, install

Operation = Literal["invoke_agent", "execute_tool"]

# what the conventions call the name and the identity of each
_ATTRIBUTES: Mapping[Operation, tuple[str, str]] = {
    "invoke_agent": ("gen_ai.agent.name", "gen_ai.conversation.id"),
    "execute_tool": ("gen_ai.tool.name", "gen_ai.tool.call.id"),
}

_tracers: list[Any] = []  # none, or the one that was set up


def set_up_spans() -> None:
    """Export spans to where the variables of OpenTelemetry (OTEL_EXPORTER_OTLP_ENDPOINT …) say."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 -- an extra
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError:
        raise HiloError(f"spans need an extra: {install('otel')}") from None
    export_spans(BatchSpanProcessor(OTLPSpanExporter()))


def export_spans(processor: Any) -> None:
    """Give spans to a processor of OpenTelemetry's."""
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 -- an extra
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415

    provider = TracerProvider(resource=Resource.create({"service.name": "hilo"}))
    provider.add_span_processor(processor)
    _tracers[:] = [provider.get_tracer("hilo")]


@contextmanager
def span(operation: Operation, name: str, identity: str) -> Iterator[None]:
    """A turn of an agent in a session, or a call of a tool. What contacts write is not in it."""
    if not _tracers:
        yield
        return
    of_name, of_identity = _ATTRIBUTES[operation]
    attributes = {"gen_ai.operation.name": operation, of_name: name, of_identity: identity}
    with _tracers[0].start_as_current_span(f"{operation} {name}", attributes=attributes):
        yield

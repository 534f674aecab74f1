"""Errors as `application/problem+json`: what is wrong and how to fix it; never what was sent, never a traceback."""

from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException as StarletteHTTPException

from hilo.errors import HiloError
from hilo.store.inbox import IdReused
from hilo.store.store import StoreUnavailable

log = structlog.get_logger()

AGAIN = {"Retry-After": "2"}
REUSED = "this Idempotency-Key was used for another request, and nothing was done now: take a new one for every act"


class Taken(Exception):  # noqa: N818 -- it names what happened
    """Another operator has the session."""

    def __init__(self, operator: str, since: datetime | None) -> None:
        super().__init__(operator)
        self.operator, self.since = operator, since


class ProblemDetails(BaseModel):
    """What went wrong (RFC 9457)."""

    title: str
    status: int
    detail: str


class TakenProblem(ProblemDetails):
    """Another operator has it: who, and since when."""

    operator: str
    since: datetime | None


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """A problem as a response."""
    body = ProblemDetails(title=HTTPStatus(status).phrase, status=status, detail=detail).model_dump()
    return JSONResponse(body, status, headers=headers, media_type="application/problem+json")


def add_problems(app: FastAPI) -> None:
    """Let every error be answered like that; a database that is away is the caller's cue to try again."""

    @app.exception_handler(StarletteHTTPException)
    async def expected(_request: Request, error: HTTPException) -> JSONResponse:
        return problem(error.status_code, str(error.detail), error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        errors = error.errors()
        status = 400 if any(each["type"] == "json_invalid" for each in errors) else 422
        return problem(status, "; ".join(map(_words, errors))[:1000])

    @app.exception_handler(IdReused)
    async def reused(_request: Request, _error: IdReused) -> JSONResponse:
        return problem(422, REUSED)

    @app.exception_handler(Taken)
    async def taken(_request: Request, error: Taken) -> JSONResponse:
        since = f" since {error.since:%H:%M} UTC" if error.since else ""
        body = TakenProblem(
            title=HTTPStatus.CONFLICT.phrase,
            status=HTTPStatus.CONFLICT,
            detail=f"{error.operator} has it{since}",
            operator=error.operator,
            since=error.since,
        )
        return JSONResponse(body.model_dump(mode="json"), body.status, media_type="application/problem+json")

    @app.exception_handler(StoreUnavailable)
    async def away(_request: Request, error: StoreUnavailable) -> JSONResponse:
        log.warning("the database is away", reason=str(error))
        return problem(503, "the database is away; try again", AGAIN)

    @app.exception_handler(HiloError)
    async def unable(_request: Request, error: HiloError) -> JSONResponse:
        log.error("cannot be done now", reason=str(error))
        return problem(503, "this cannot be done now; the log says why", AGAIN)


def _words(error: Mapping[str, Any]) -> str:
    """Where and what is wrong; the place is a name of ours or a position, but an unknown key is the caller's word."""
    match error:
        case {"type": "json_invalid", "loc": [*_, place], "ctx": {"error": why}}:
            return f"the body is not JSON: {why}, at character {place}"
        case {"type": "model_attributes_type", "loc": ["body"]}:
            return "body: send a JSON object, with Content-Type: application/json"
    place = ".".join(str(each)[:40] for each in error["loc"][1:]) or error["loc"][0]
    return f"{place}: {error['msg']}".encode(errors="replace").decode()

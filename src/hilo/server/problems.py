"""Errors as `application/problem+json`: what, and how to mend it; never what somebody sent, never a traceback."""

from collections.abc import Mapping
from http import HTTPStatus

import structlog
from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException as StarletteHTTPException

from hilo.errors import HiloError
from hilo.store.store import StoreUnavailable

log = structlog.get_logger()

AGAIN = {"Retry-After": "2"}


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    title: str
    status: int
    detail: str


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """A problem as a response."""
    body = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail).model_dump()
    return JSONResponse(body, status, headers=headers, media_type="application/problem+json")


def add_problems(app: FastAPI) -> None:
    """Let every error be answered like that; a database that is away is the caller's cue to try again."""

    @app.exception_handler(StarletteHTTPException)
    async def expected(_request: Request, error: HTTPException) -> JSONResponse:
        return problem(error.status_code, str(error.detail), error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        return problem(422, "; ".join(map(_words, error.errors()))[:1000])

    @app.exception_handler(StoreUnavailable)
    async def away(_request: Request, error: StoreUnavailable) -> JSONResponse:
        log.warning("the database is away", reason=str(error))
        return problem(503, "the database is away; try again", AGAIN)

    @app.exception_handler(HiloError)
    async def unable(_request: Request, error: HiloError) -> JSONResponse:
        log.error("cannot be done now", reason=str(error))
        return problem(503, "this cannot be done now; the log says why", AGAIN)


def _words(error: Mapping[str, object]) -> str:
    """Where and what is wrong; the place is a name of ours or a position, but an unknown key is the caller's word."""
    place, message = error["loc"], error["msg"]
    names = place[1:] if isinstance(place, tuple) else ()
    return f"{'.'.join(str(each)[:40] for each in names)}: {message}".encode(errors="replace").decode()

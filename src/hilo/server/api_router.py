"""Routers of the API. Their routes are made once, as they are served."""

from typing import Any

from fastapi import APIRouter

from hilo.server.problems import ProblemDetails

# FastAPI builds a field for every model of every status of every route, half of what it takes to make the
# application, and describes it as application/json: so one status names the model, and all point to its schema.
_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}
_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"content": _PROBLEM, "description": words}
    for status, words in {
        400: "The body is not JSON", 401: "No key that works", 403: "The key may not do this",
        404: "There is no such thing in this workspace", 409: "Not in this state", 413: "Too large",
        422: "Not what is described here, or an Idempotency-Key that was used for something else", 503: "Try again",
    }.items()
}  # fmt: skip
_ERRORS[422]["model"] = ProblemDetails


def api_router(prefix: str = "", *tags: str) -> APIRouter:
    """A router below `/api/v1`. It is not included in another: FastAPI would build each of its routes once more."""
    return APIRouter(prefix=f"/api/v1{prefix}", tags=[*tags], responses=_ERRORS)

"""Who asks: a key of one workspace, with what it may do."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from hilo.server.edge import HttpEdge
from hilo.store.keys import Key, Scope, find_key

_BEARER = HTTPBearer(auto_error=False, description="A key that `hilo key add` printed.")
_ASK = {"WWW-Authenticate": "Bearer"}

Given = Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]


def allowed(edge: HttpEdge, scope: Scope) -> Callable[[Given], Awaitable[Key]]:
    """A dependency: the key that was shown, if it may do this."""

    async def caller(given: Given) -> Key:
        key = await edge.store.run(find_key, given.credentials) if given else None
        if key is None:
            raise HTTPException(401, "show a key that works: Authorization: Bearer hilo_…", headers=_ASK)
        if scope not in key.scopes:
            raise HTTPException(403, f"this key may not {scope}: make one with `hilo key add NAME --scope {scope}`")
        return key

    return caller

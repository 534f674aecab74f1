"""Who asks: a key of one workspace, or a person who is logged in, with what they may do."""

import hmac
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, HTTPException, Request
from fastapi.requests import HTTPConnection
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from hilo.server.edge import HttpEdge
from hilo.store.keys import Key, Scope, find_key
from hilo.store.people import TOUCH, Login, PersonRow, find_login, touch

COOKIE = "hilo_person"
CSRF = "X-Hilo-CSRF"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

_BEARER = HTTPBearer(auto_error=False, description="A key that `hilo key add` printed.")
_ASK = {"WWW-Authenticate": "Bearer"}
_SHOW = "show a key that works: Authorization: Bearer hilo_…"

Given = Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]


async def _edge(connection: HTTPConnection) -> HttpEdge:
    edge: HttpEdge = connection.app.state.edge
    return edge


# What a route works with: routes are made once, however many applications a process has.
Edge = Annotated[HttpEdge, Depends(_edge)]


def allowed(scope: Scope) -> Callable[[Edge, Request, Given], Awaitable[Key]]:
    """A dependency: who asks, if they may do this."""

    async def caller(edge: Edge, request: Request, given: Given) -> Key:
        key = await who_asks(edge, request, given)
        if key is None:
            raise HTTPException(401, _SHOW, headers=_ASK)
        if scope not in key.scopes and key.person:
            raise HTTPException(403, f"your account may not {scope}: an owner can change that")
        if scope not in key.scopes:
            raise HTTPException(403, f"this key may not {scope}: make one with `hilo key add NAME --scope {scope}`")
        return key

    return caller


# A key for each of the things that may be done.
Reading = Annotated[Key, Depends(allowed("read"))]
Writing = Annotated[Key, Depends(allowed("write"))]
Operating = Annotated[Key, Depends(allowed("operate"))]
Authoring = Annotated[Key, Depends(allowed("author"))]
Campaigning = Annotated[Key, Depends(allowed("campaign"))]
Administering = Annotated[Key, Depends(allowed("administer"))]


async def _may_still(edge: Edge, request: Request, given: Given) -> Callable[[], Awaitable[bool]]:
    async def may() -> bool:
        return await who_asks(edge, request, given) is not None

    return may


# For an answer that takes long: whether who asked would still be answered.
MayStill = Annotated[Callable[[], Awaitable[bool]], Depends(_may_still)]


async def who_asks(edge: HttpEdge, request: Request, given: HTTPAuthorizationCredentials | None) -> Key | None:
    """A key goes before a cookie: who sends one means it."""
    if given:
        return await edge.store.run(find_key, given.credentials)
    login = await logged_in(edge, request)
    return as_key(login.person) if login else None


async def logged_in(edge: HttpEdge, request: Request) -> Login | None:
    """Who a request's cookie is of. 403 where it would change something and another site may have sent it."""
    token = request.cookies.get(COOKIE, "")
    login = await edge.store.run(find_login, token, now=edge.clock.now()) if token else None
    if login is None:
        return None
    shown = request.headers.get(CSRF, "")
    if request.method not in SAFE and not hmac.compare_digest(shown.encode(), login.csrf.encode()):
        raise HTTPException(403, f"send the word `csrf` of /panel/me in the header {CSRF}")
    now = edge.clock.now()
    if now - login.seen_at >= TOUCH:
        await edge.store.run(touch, token, login.person.id, now=now)
    return login


def as_key(person: PersonRow) -> Key:
    """A person as the API's routes know callers."""
    teams = person.teams if person.role == "operator" else ()
    return Key(person.id, person.workspace, person.name, person.scopes, person.created_at, person=True, teams=teams)

"""People: logging in and out, and the accounts of a workspace."""

import asyncio
import math
from datetime import datetime

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

from hilo.server import people_shapes as shapes
from hilo.server.access import COOKIE, Administering, Edge, Reading, logged_in
from hilo.server.api_router import api_router
from hilo.server.edge import HttpEdge
from hilo.server.parameters import Id, or_404
from hilo.store import people as stored
from hilo.store.passwords import hash_password, is_password, new_password
from hilo.store.people import Login, NewPerson, PersonChange, PersonRefused, PersonRow

WRONG = "the login or the password is wrong"
NOBODY = "nobody is logged in"
HASHES_AT_ONCE = 2  # each takes 64 MB and all of a core


# `/panel/login`, `/panel/logout` and `/panel/me`: for browsers, so not part of the described API.
logins = APIRouter(prefix="/panel", include_in_schema=False)
# The accounts of a workspace.
router = api_router("/people", "people")


@logins.post("/login")
async def log_in(edge: Edge, given: shapes.Credentials, request: Request, response: Response) -> shapes.LoginBody:
    """Log in; the cookie is in the answer."""
    now, address = edge.clock.now(), request.client.host if request.client else ""
    person = await edge.store.run(stored.try_login, given.workspace, given.login, address, now=now)
    if isinstance(person, datetime):
        wait = str(math.ceil((person - now).total_seconds()))
        raise HTTPException(429, "too many attempts: wait some minutes", headers={"Retry-After": wait})
    async with request.app.state.hashing:
        kept = person.password if person else ""
        right = await asyncio.to_thread(is_password, kept, given.password)
    if person is None or not right:
        raise HTTPException(401, WRONG)
    token = stored.new_token()
    await edge.store.run(stored.log_in, person, address, token=token, csrf=stored.new_token(), now=now)
    _set_cookie(response, request, token)
    return _login_body(edge, await _found(edge, token))


@logins.post("/logout", status_code=204)
async def log_out(edge: Edge, request: Request, response: Response) -> None:
    """Log out; the cookie opens nothing any more."""
    if await logged_in(edge, request):
        await edge.store.run(stored.log_out, request.cookies[COOKIE])
    response.delete_cookie(COOKIE, path="/")


@logins.get("/me")
async def me(edge: Edge, request: Request, response: Response) -> shapes.LoginBody:
    """Who is logged in."""
    response.headers["Cache-Control"] = "no-store"
    return _login_body(edge, await _self(edge, request))


@logins.patch("/me")
async def change_me(edge: Edge, change: shapes.OwnChange, request: Request) -> shapes.LoginBody:
    """Come and go, or change the password; other logins end with the old one."""
    login, token = await _self(edge, request), request.cookies[COOKIE]
    person, kept = login.person, None
    if change.password is not None:
        async with request.app.state.hashing:
            if not await asyncio.to_thread(is_password, person.password, change.old_password):
                raise HTTPException(403, "old_password: this is not the password of now")
            kept = await asyncio.to_thread(hash_password, change.password)
    wanted, now = PersonChange(away=change.away, password=kept, token=token), edge.clock.now()
    await edge.store.run(stored.change_person, person.workspace, person.id, wanted, by=person.name, now=now)
    return _login_body(edge, await _found(edge, token))


@router.get("")
async def people(edge: Edge, key: Reading) -> shapes.PersonList:
    """Who works here, and who is there now."""
    found = await edge.store.run(stored.people, key.workspace)
    return shapes.PersonList(items=[_body(each, edge.clock.now()) for each in found])


@router.post("", status_code=201)
async def add(edge: Edge, new: shapes.NewAccount, key: Administering) -> shapes.NewAccountBody:
    """Make an account. Without a password one is made up; it is answered once."""
    made_up = None if new.password else new_password()
    kept = await asyncio.to_thread(hash_password, new.password or made_up or "")
    account = NewPerson(new.login, new.name, new.role, kept, tuple(new.teams))
    now = edge.clock.now()
    try:
        person = await edge.store.run(stored.add_person, key.workspace, account, by=key.name, now=now)
    except PersonRefused as error:
        raise HTTPException(409, str(error)) from None
    made = or_404(await edge.store.run(stored.one_person, key.workspace, person=person))
    return shapes.NewAccountBody(**_body(made, now).model_dump(), password=made_up)


@router.patch("/{person}")
async def change(edge: Edge, person: Id, wanted: shapes.AccountChange, key: Administering) -> shapes.PersonBody:
    """Change an account or end it."""
    before = or_404(await edge.store.run(stored.one_person, key.workspace, person=person))
    kept = await asyncio.to_thread(hash_password, wanted.password) if wanted.password else None
    teams = None if wanted.teams is None else tuple(wanted.teams)
    changed = PersonChange(wanted.name, wanted.role, wanted.away, teams, kept)
    now = edge.clock.now()
    try:
        if wanted.removed:
            await edge.store.run(stored.remove_person, key.workspace, person, by=key.name, now=now)
            return _body(before, now)
        found = await edge.store.run(stored.change_person, key.workspace, person, changed, by=key.name, now=now)
    except PersonRefused as error:
        raise HTTPException(409, str(error)) from None
    return _body(or_404(found), now)


async def _self(edge: HttpEdge, request: Request) -> Login:
    login = await logged_in(edge, request)
    if login is None:
        raise HTTPException(401, NOBODY)
    return login


async def _found(edge: HttpEdge, token: str) -> Login:
    login = await edge.store.run(stored.find_login, token, now=edge.clock.now())
    if login is None:
        raise HTTPException(401, NOBODY)
    return login


def _set_cookie(response: Response, request: Request, token: str) -> None:
    """No script reads it, no other site sends it; over https it never goes out in the clear."""
    secure, longest = request.url.scheme == "https", int(stored.LONGEST.total_seconds())
    response.set_cookie(COOKIE, token, max_age=longest, path="/", httponly=True, samesite="strict", secure=secure)
    response.headers["Cache-Control"] = "no-store"


def _login_body(edge: HttpEdge, login: Login) -> shapes.LoginBody:
    workspace = shapes.WorkspaceBody(id=login.person.workspace, name=login.workspace_name)
    return shapes.LoginBody(person=_body(login.person, edge.clock.now()), workspace=workspace, csrf=login.csrf)


def _body(person: PersonRow, now: datetime) -> shapes.PersonBody:
    return shapes.PersonBody(
        id=person.id,
        login=person.login,
        name=person.name,
        role=person.role,
        teams=list(person.teams),
        away=person.away,
        present=person.present(now),
    )

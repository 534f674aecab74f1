"""What the API takes and gives of people and their accounts."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from hilo.server.shapes import Name, RequestBody
from hilo.store.passwords import LONGEST, SHORTEST
from hilo.store.people import Role

LoginName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._@+-]*$", max_length=100)]
Password = Annotated[str, StringConstraints(min_length=SHORTEST, max_length=LONGEST)]
Team = Annotated[str, StringConstraints(pattern=r"^[\w-]+$", max_length=60)]
Teams = Annotated[list[Team], Field(max_length=20)]


class Credentials(RequestBody):
    """Who wants to log in."""

    login: Annotated[str, StringConstraints(min_length=1, max_length=100, strip_whitespace=True, to_lower=True)]
    password: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST)]
    workspace: Annotated[str, StringConstraints(max_length=100)] = "main"


class PersonBody(BaseModel):
    """Somebody with an account; `present` says whether a page of theirs is open."""

    id: str
    login: str
    name: str
    role: Role
    teams: list[str]
    away: bool
    present: bool


class WorkspaceBody(BaseModel):
    """A business."""

    id: str
    name: str


class LoginBody(BaseModel):
    """Who is logged in; `csrf` goes into the header X-Hilo-CSRF of every request that changes something."""

    person: PersonBody
    workspace: WorkspaceBody
    csrf: str


class PersonList(BaseModel):
    """Everybody with an account."""

    items: list[PersonBody]


class NewAccount(RequestBody):
    """An account to be made. Without a password one is made up, and answered once."""

    login: LoginName
    name: Name
    role: Role = "operator"
    teams: Teams = Field(default_factory=list)
    password: Password | None = None


class NewAccountBody(PersonBody):
    """A new account; `password` is the one that was made up."""

    password: str | None = None


class AccountChange(RequestBody):
    """What an owner changes; what is left out stays as it is. `removed` ends the account."""

    name: Name | None = None
    role: Role | None = None
    teams: Teams | None = None
    away: bool | None = None
    password: Password | None = None
    removed: Literal[True] | None = None


class OwnChange(RequestBody):
    """What people change of their own: whether they are away, and the password, with the one of before."""

    away: bool | None = None
    password: Password | None = None
    old_password: Annotated[str, StringConstraints(max_length=LONGEST)] = ""

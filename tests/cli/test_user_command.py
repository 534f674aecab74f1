"""`hilo user`, and the first login that `hilo serve --panel-login` makes."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hilo.cli import hilo
from hilo.cli.database import ask
from hilo.errors import HiloError
from hilo.store.passwords import is_password
from hilo.store.people import PersonRefused, one_person


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HILO_DATABASE_URL", f"sqlite:///{tmp_path}/hilo.db")


def user(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(hilo, ["user", *words], input=typed)


def test_people_are_added_listed_given_passwords_and_removed() -> None:
    added = user("add", "ana", "--name", "Ana Paz", "--role", "owner", "--team", "ventas")
    person = ask(one_person, "main", login="ana")
    assert person is not None
    assert (person.name, person.role, person.teams) == ("Ana Paz", "owner", ("ventas",))
    assert is_password(person.password, added.stdout.strip())
    assert user("add", "luis").exit_code == 0
    assert all(word in user("list").stdout for word in ("ana", "Ana Paz", "owner", "ventas", "never", "luis"))
    renewed = user("password", "ana", "--ask-password", typed="otra clave larga\notra clave larga\n")
    assert "new password" in renewed.stdout
    person = ask(one_person, "main", login="ana")
    assert person is not None
    assert is_password(person.password, "otra clave larga")
    assert "no account" in user("remove", "luis").stdout
    assert "luis" not in user("list").stdout


def test_what_cannot_be_done_says_why() -> None:
    assert user("add", "ana", "--role", "owner").exit_code == 0
    assert isinstance(user("add", "ana").exception, PersonRefused)
    assert isinstance(user("remove", "ana").exception, PersonRefused)
    for words in (("add", "Ana Paz"), ("remove", "nadie"), ("password", "nadie"), ("add", "x", "--workspace", "otra")):
        assert isinstance(user(*words).exception, HiloError)
    short = user("password", "ana", "--ask-password", typed="corta\ncorta\n")
    assert "10 to 200" in str(short.exception)

"""Passwords are kept as argon2id hashes; making or checking one takes a while on purpose, so not in an event loop."""

import secrets

from hilo.errors import HiloError

SHORTEST, LONGEST = 10, 200  # characters
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that looks like another


def new_password() -> str:
    """A password that nobody can guess and anybody can type: 80 random bits."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))


def check_new(password: str) -> None:
    """Raises HiloError for one that is too short to be worth anything."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise HiloError(f"a password has {SHORTEST} to {LONGEST} characters")


def hash_password(password: str) -> str:
    """What is kept of a password."""
    from argon2 import PasswordHasher  # noqa: PLC0415 -- only who logs in needs it

    return PasswordHasher().hash(_kept(password))


def is_password(kept: str, given: str) -> bool:
    """Whether it is the one. Where nothing is kept it is not, and finding that out takes as long."""
    from argon2 import PasswordHasher  # noqa: PLC0415
    from argon2.exceptions import VerificationError  # noqa: PLC0415

    try:
        return PasswordHasher().verify(kept or _NOBODYS, _kept(given)) and bool(kept)
    except VerificationError:
        return False


def _kept(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")


# The hash of a password that was thrown away.
_NOBODYS = "$argon2id$v=19$m=65536,t=3,p=4$FTIeR6AwJdKVuJP7uuiDOQ$a+fZw2iJ3qLsIC3IPKEYM4GnEziHOIZ/mE0dFBLcS7U"

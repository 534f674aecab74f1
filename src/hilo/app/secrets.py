"""Credentials at rest: sealed with the key of the environment, opened only where a channel is made."""

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from hilo.errors import HiloError

HOW = "make one with `openssl rand -base64 32`, keep it safe and outside the database, and set HILO_SECRET_KEY to it"


class Secrets:
    """Seals with the first key and opens with any of them, so that a key can be replaced while both are given."""

    def __init__(self, keys: str) -> None:
        self._keys = keys

    def __repr__(self) -> str:
        return "Secrets(…)"

    def seal(self, plain: Mapping[str, Any]) -> str:
        """What may be stored."""
        return str(self._box.encrypt(json.dumps(plain).encode()).decode())

    def open(self, sealed: str) -> dict[str, Any]:
        """What was sealed; raises HiloError when no key fits."""
        from cryptography.fernet import InvalidToken  # noqa: PLC0415 -- only installations with credentials need it

        try:
            plain: dict[str, Any] = json.loads(self._box.decrypt(sealed.encode()))
        except InvalidToken:
            raise HiloError(
                "HILO_SECRET_KEY is not the key that the credentials were sealed with: set that one, or both, "
                "separated by a comma, the new one first"
            ) from None
        return plain

    def reseal(self, sealed: str) -> str:
        """The same under the first key."""
        return self.seal(self.open(sealed))

    @cached_property
    def _box(self) -> Any:
        from cryptography.fernet import Fernet, MultiFernet  # noqa: PLC0415

        keys = [_urlsafe(key) for key in self._keys.split(",") if key.strip()]
        if not keys:
            raise HiloError(f"there is no key to keep credentials with: {HOW}")
        try:
            return MultiFernet([Fernet(key) for key in keys])
        except ValueError:
            raise HiloError(f"HILO_SECRET_KEY is not a key of 32 bytes in Base64: {HOW}") from None


def _urlsafe(key: str) -> str:
    """Base64 has two alphabets, and openssl writes the other one."""
    return key.strip().translate(str.maketrans("+/", "-_"))

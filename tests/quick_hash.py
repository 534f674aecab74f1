"""A password's hash that is checked at once: how hard one is to check stands in the hash itself."""

from argon2 import PasswordHasher

_EASY = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def quick_hash(password: str) -> str:
    """What `hash_password` would keep, for tests that are about something else."""
    return _EASY.hash(password)

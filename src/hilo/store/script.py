"""The words in which the store's transactions are written; agents use them too, so they stand below the store."""

from hilo.tools.database import (
    EPOCH,
    Row,
    Script,
    Statement,
    execute,
    maybe_moment,
    micros,
    moment,
    one,
    storable,
)

__all__ = ["EPOCH", "Row", "Script", "Statement", "execute", "maybe_moment", "micros", "moment", "one", "storable"]

"""Where ids come from. The core never makes one; it is given them."""

import uuid


def new_id(kind: str) -> str:
    """A fresh id that says what it names, such as session_3f2a."""
    return f"{kind}_{uuid.uuid4().hex[:20]}"

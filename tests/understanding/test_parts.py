"""Where one thing of a message may end and the next begin."""

import pytest

from hilo.understanding.parts import clauses


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("que sean 3 y el teléfono es 11 5555 1234", ("que sean 3", "el teléfono es 11 5555 1234")),
        ("mejor el lunes, a las 5 y ¿cuánto sale?", ("mejor el lunes", "a las 5", "¿cuánto sale")),
        ("son treinta y dos, pero sin apuro", ("son treinta y dos", "pero sin apuro")),
        ("litro y medio a las 8 y cuarto", ("litro y medio a las 8 y cuarto",)),
        ("una coca de 2,25 y una de 1.5", ("una coca de 2,25", "una de 1.5")),
    ],
)
def test_loose_joints_part_what_may_be_two_things(text: str, parts: tuple[str, ...]) -> None:
    assert tuple(text[start:end] for start, end in clauses(text, loose=True)) == parts


def test_firm_joints_alone_leave_a_list_whole() -> None:
    assert clauses("una coca, dos fantas y un alfajor") == ((0, 33),)

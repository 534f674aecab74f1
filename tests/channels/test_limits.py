import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.channels.limits import (
    WHATSAPP,
    ChoiceList,
    Limits,
    PlainText,
    ReplyButtons,
    Row,
    clean_text,
    cut_title,
    fit_buttons,
    length,
    split_text,
)
from hilo.messages import Button

YES_NO = (Button("yes:1", "Sí"), Button("no:1", "No"))


def squeezed(*texts: str) -> str:
    return re.sub(r"\s+", "", "".join(texts))


@pytest.mark.parametrize(
    ("text", "limit", "parts"),
    [
        ("Hola.", 20, ("Hola.",)),
        ("", 20, ()),
        (" \n ", 20, ()),
        ("Hola. ¿Cómo estás? Todo bien", 20, ("Hola. ¿Cómo estás?", "Todo bien")),
        ("Dijo «ya está.» Y se fue", 16, ("Dijo «ya está.»", "Y se fue")),
        ("una línea\notra línea", 12, ("una línea", "otra línea")),
        ("sin puntos pero con espacios", 10, ("sin puntos", "pero con", "espacios")),
        ("abcdefghij", 4, ("abcd", "efgh", "ij")),
        ("cuesta 1.500 pesos hoy", 12, ("cuesta 1.500", "pesos hoy")),
        ("Elige:\n1. Rojo\n2. Azul", 11, ("Elige:", "1. Rojo", "2. Azul")),
        ("Fin exacto. Sigue", 11, ("Fin exacto.", "Sigue")),
    ],
)
def test_a_text_is_cut_at_sentences_else_at_spaces_else_anywhere(text: str, limit: int, parts: tuple[str, ...]) -> None:
    assert split_text(text, limit) == parts


@pytest.mark.parametrize("piece", ["👩‍👩‍👧", "🇦🇷", "é", "👍🏽", "❤️"])
def test_an_emoji_or_an_accent_is_not_torn(piece: str) -> None:
    parts = split_text("x" + piece * 40, 23)
    assert all(part.removeprefix("x").count(piece) * len(piece) == len(part.removeprefix("x")) for part in parts)


def test_an_emoji_counts_as_two() -> None:
    assert [len(part) for part in split_text("😀" * 4096)] == [2048, 2048]


@given(st.text(max_size=300), st.integers(2, 40))
def test_nothing_but_white_space_is_lost_and_every_part_fits(text: str, limit: int) -> None:
    parts = split_text(text, limit)
    assert squeezed(*parts) == squeezed(clean_text(text))
    assert all(0 < length(part) <= limit and part == part.strip() for part in parts)


def test_a_limit_that_holds_no_emoji_is_refused() -> None:
    with pytest.raises(ValueError, match="two units"):
        split_text("hola", 1)


def test_nul_and_lone_surrogates_are_removed() -> None:
    assert clean_text("a\x00b\ud800c😀") == "abc😀"


@pytest.mark.parametrize(
    ("title", "limit", "cut"),
    [
        ("Sí", 20, "Sí"),
        ("Retiro en sucursal Centro", 24, "Retiro en sucursal…"),
        ("Confirmar, por favor, ya", 20, "Confirmar, por…"),
        ("x" * 30, 24, "x" * 23 + "…"),
        ("😀" * 20, 20, "😀" * 9 + "…"),
    ],
)
def test_a_title_is_cut_at_a_word(title: str, limit: int, cut: str) -> None:
    assert cut_title(title, limit) == cut
    assert length(cut) <= limit


def test_up_to_three_short_choices_are_buttons() -> None:
    assert fit_buttons("¿Seguimos?", YES_NO) == (ReplyButtons("¿Seguimos?", YES_NO),)


def test_a_text_without_choices_is_plain() -> None:
    assert fit_buttons("Hola", ()) == (PlainText("Hola"),)


def test_four_choices_are_a_list() -> None:
    four = tuple(Button(f"set:talla:{size}", size) for size in ("S", "M", "L", "XL"))
    assert fit_buttons("¿Talla?", four) == (
        ChoiceList("¿Talla?", tuple(Row(each.payload, each.title) for each in four)),
    )


def test_a_title_too_long_for_a_button_is_a_row_with_the_whole_title_below() -> None:
    long = Button("set:pago:1", "Transferencia bancaria inmediata")
    [part] = fit_buttons("¿Cómo pagas?", (long, Button("set:pago:2", "Efectivo")))
    row = Row("set:pago:1", "Transferencia bancaria…", "Transferencia bancaria inmediata")
    assert part == ChoiceList("¿Cómo pagas?", (row, Row("set:pago:2", "Efectivo")))


@pytest.mark.parametrize(
    "buttons",
    [
        tuple(Button(str(number), f"Opción {number}") for number in range(11)),  # more than a list holds
        (Button("1", "y" * 73), Button("2", "No")),  # longer than a description
        (Button("1", "Retiro en sucursal Centro"), Button("2", "Retiro en sucursal Belgrano")),  # the same once cut
        (Button("1", "Sí"), Button("2", "sí")),  # the same but for case
        (Button("p" * 201, "Sí"),),  # a payload that does not come back whole
        (Button("", "Sí"),),
    ],
)
def test_choices_that_fit_no_list_are_numbered_with_their_whole_titles(buttons: tuple[Button, ...]) -> None:
    lines = "\n".join(f"{number}. {each.title}" for number, each in enumerate(buttons, start=1))
    assert fit_buttons("Elige:", buttons) == (PlainText(f"Elige:\n\n{lines}"),)


def test_choices_without_a_text_are_numbered() -> None:
    assert fit_buttons(" ", YES_NO) == (PlainText("1. Sí\n2. No"),)


def test_a_choice_nobody_can_read_or_tell_apart_is_not_offered() -> None:
    buttons = (*YES_NO, Button("blank", " "), Button("yes:1", "Claro"))
    assert fit_buttons("¿Sí?", buttons) == (ReplyButtons("¿Sí?", YES_NO),)


@pytest.mark.parametrize(("buttons", "body"), [(YES_NO, 1024), (tuple(Button(str(n), str(n)) for n in range(9)), 2000)])
def test_a_long_text_goes_ahead_and_the_choices_come_with_its_end(buttons: tuple[Button, ...], body: int) -> None:
    text = "Una frase cualquiera. " * 400 + "¿Confirmas?"
    *before, last = fit_buttons(text, buttons, Limits(list_body=2000))
    assert all(isinstance(part, PlainText) and length(part.text) <= WHATSAPP.text for part in before)
    assert not isinstance(last, PlainText)
    assert length(last.text) <= body
    assert last.text.endswith("¿Confirmas?")
    assert squeezed(*(part.text for part in (*before, last))) == squeezed(text)


@given(st.text(max_size=60), st.lists(st.builds(Button, st.text(max_size=8), st.text(max_size=90)), max_size=12))
def test_every_choice_is_shown_in_full_and_every_limit_is_kept(text: str, buttons: list[Button]) -> None:
    *before, last = fit_buttons(text, tuple(buttons)) or (PlainText(""),)
    assert before == []
    titles = [" ".join(clean_text(each.title).split()) for each in buttons]
    payloads = {clean_text(each.payload) for each in buttons}
    match last:
        case ReplyButtons(buttons=offered):
            assert 1 <= len(offered) <= 3
            assert all(each.title in titles and length(each.title) <= 20 for each in offered)
            assert {each.payload for each in offered} <= payloads
        case ChoiceList(rows=rows):
            assert 1 <= len(rows) <= 10
            assert all((row.description or row.title) in titles for row in rows)
            assert all(length(row.title) <= 24 and length(row.description) <= 72 for row in rows)
        case PlainText(text=shown):
            firsts = {
                clean_text(each.payload) or title: title
                for each, title in reversed([*zip(buttons, titles, strict=True)])
                if title
            }
            assert all(title in shown for title in firsts.values())

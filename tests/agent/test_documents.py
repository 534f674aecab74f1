"""Pages as sections: what is kept of Markdown, what of HTML, and where long ones are cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilo.agent.documents import LONGEST_PAGE, LONGEST_SECTION, Section, cut_text, read_page
from hilo.errors import FileProblems


def sections(text: str) -> list[tuple[str, str]]:
    return [(each.source, each.text) for each in read_page(text, file="p.md", name="Página")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# Envíos\n\n## Costo\n\nCuesta\n$10.", [("Envíos › Costo", "Cuesta $10.")]),
        ("Sin títulos.", [("Página", "Sin títulos.")]),
        ("---\ntitle: Ayuda\n---\nHola.", [("Ayuda", "Hola.")]),
        ("# A\nuno\n## B\ndos\n### C\ntres\n## D\ncuatro",
         [("A", "uno"), ("A › B", "dos"), ("A › B › C", "tres"), ("A › D", "cuatro")]),
        ("Título\n======\n\nParte\n-----\n\ntexto", [("Título › Parte", "texto")]),
        ("# A\n- uno\n- dos\n  sigue\n1. tres", [("A", "• uno\n• dos sigue\n1. tres")]),
        ("# A\n| día | hora |\n|---|---|\n| lunes | 9 |", [("A", "día · hora\nlunes · 9")]),
        ("# A\n**Sí**, _claro_, `código` y [mapa](https://x.y/m), [otra](b.md), ![foto](f.png)",
         [("A", "Sí, claro, código y mapa (https://x.y/m), otra, foto")]),
        ("# A\nsnake_case y 2*3*4 quedan", [("A", "snake_case y 2*3*4 quedan")]),
        ("# A\n```\n# no es un título\n```", [("A", "# no es un título")]),
        ("# **A**\r\n\r\nfin\r\n", [("A", "fin")]),
    ],
)  # fmt: skip
def test_what_stands_under_each_heading(text: str, found: list[tuple[str, str]]) -> None:
    assert sections(text) == found


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<b>Abierto</b> hasta <i>las 9</i>", "Abierto hasta las 9"),
        ("<script>alert(1)</script>Hola", "Hola"),
        ("Hola<!-- secreto -->", "Hola"),
        ("<img src=x onerror='alert(1)'>Foto", "Foto"),
        ("<p>uno</p><p>dos</p>", "uno dos"),
        ("5 &lt; 6 &amp; 7", "5 < 6 & 7"),
        ("<https://x.y> y <a@b.c>", "https://x.y y a@b.c"),
        ("<style>p {color: red}</style>Rojo", "Rojo"),
        ("a < b y c > d", "a < b y c > d"),
        (
            "<table>\n <tr>\n  <th>Corte</th>\n  <td>$700</td>\n </tr>\n<tr><td>Color</td><td>$900</td></tr></table>",
            "Corte · $700\nColor · $900",
        ),
    ],
)
def test_html_is_plain_text(html: str, text: str) -> None:
    assert sections(f"# A\n{html}") == [("A", text)]


def test_a_long_section_is_cut_at_a_sentence() -> None:
    sentence = "Esta oración tiene unas cuantas palabras y termina acá."
    found = sections("# A\n## B\n" + " ".join([sentence] * 40))
    assert len(found) > 2
    assert {source for source, _ in found} == {"A › B"}
    for _, text in found:
        assert len(text) <= LONGEST_SECTION
        assert text.endswith("acá.")
        assert text.startswith("Esta")


@given(st.text(alphabet=st.sampled_from("ab .!?\n…"), max_size=3000), st.integers(20, 900))
def test_no_piece_is_too_long_and_no_word_is_lost(text: str, most: int) -> None:
    pieces = list(cut_text(text, most))
    assert all(len(piece) <= most for piece in pieces)
    assert "".join("".join(pieces).split()).replace("…", "") == "".join(text.split()).replace("…", "")


@given(st.text(max_size=400))
def test_any_text_is_read_and_nothing_of_it_is_a_tag(text: str) -> None:
    try:
        found = read_page(f"# T\n{text}\nfin", file="p.md", name="p")
    except FileProblems:
        return
    for each in found:
        assert isinstance(each, Section)
        assert "\0" not in each.text
        assert len(each.text) <= LONGEST_SECTION


@pytest.mark.parametrize(
    ("text", "problem"),
    [("# Solo un título\n", "no text to quote"), ("", "no text to quote"), ("a " * LONGEST_PAGE, "characters")],
)
def test_a_page_that_cannot_be_used_says_why(text: str, problem: str) -> None:
    with pytest.raises(FileProblems) as raised:
        read_page(text, file="docs/p.md", name="p")
    assert "docs/p.md:1:1" in str(raised.value)
    assert problem in str(raised.value)

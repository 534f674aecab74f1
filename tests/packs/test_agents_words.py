"""What packs do for an agent: its contacts' words for its goods, words of its own, and a language beside Spanish."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from hilo.app import load_agent
from hilo.cli.check import command
from hilo.errors import FileProblems
from hilo.understanding.orders.lines import OrderLine
from hilo.understanding.reading import Reading, read, understander

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
GOODS = """\
product,category,size
Cerveza Andina,Cervezas,lata
Gaseosa Lima,Gaseosas,1.5 l
Aguacate Hass,Verduras,
Pan blanco,Panadería,
Café molido,Almacén,500 g
Jugo de naranja,Jugos,1 l
Papas en gajos,Congelados,
Papel higiénico,Limpieza,
"""
SHOP = """
agent: shop
language: LANGUAGE
country: COUNTRY
orders: {add: put, remove: put, set: put, catalogue: goods.csv}
flows: {hi: {starts: [hola], steps: [{say: "¡Hola!"}]}}
"""
TOOLS = '''
from hilo import tool


@tool(writes=True, needs_yes=False)
def put(product: str, quantity: int = 1) -> bool:
    """Put so many of a product into the basket."""
    return bool(product)
'''


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "goods.csv").write_text(GOODS)
    (tmp_path / "tools.py").write_text(TOOLS)
    return tmp_path


def written(folder: Path, language: str, country: str, more: str = "") -> Path:
    (folder / "agent.yaml").write_text(SHOP.replace("LANGUAGE", language).replace("COUNTRY", country) + more)
    return folder


def reading(folder: Path, message: str) -> Reading:
    return read(understander(load_agent(folder).agent), message, at=NOW)


def lines(folder: Path, message: str) -> tuple[OrderLine, ...]:
    return reading(folder, message).lines


@pytest.mark.parametrize(
    ("country", "message", "expected"),
    [
        ("MX", "me mandas 6 chelas porfa", [(6, "cerveza")]),
        ("CO", "regáleme dos chelitas", [(2, "cerveza")]),
        ("PE", "3 chelas heladas nomás", [(3, "cerveza")]),
        ("AR", "mandame 4 birras y una palta", [(4, "cerveza"), (1, "aguacate")]),
        ("AR", "2 birritas bien frías", [(2, "cerveza")]),
        ("MX", "quiero 2 refrescos y un bolillo", [(2, "gaseosa"), (1, "pan")]),
        ("MX", "un chesco", [(1, "gaseosa")]),
        ("CO", "me regala un tinto y dos polas", [(1, "cafe"), (2, "cerveza")]),
        ("ES", "ponme dos cañas y un zumo", [(2, "cerveza"), (1, "jugo")]),
        ("ES", "quiero unas patatas", [(1, "papas")]),
        ("CL", "mándame 2 confort", [(2, "higienico")]),
        ("CL", "dame una marraqueta", [(1, "pan")]),
        ("PE", "una palta", [(1, "aguacate")]),
        ("AR", "dame 3 papel de baño", [(3, "higienico")]),
        ("AR", "2 gaseosas", [(2, "gaseosas")]),
    ],
)
def test_goods_are_found_by_what_they_are_called_in_a_country(
    shop: Path, country: str, message: str, expected: list[tuple[int, str]]
) -> None:
    found = lines(written(shop, "es", country), message)
    assert [(line.quantity, line.product) for line in found] == expected
    assert all(line.known and line.action == "add" for line in found)


def test_a_word_of_one_country_means_nothing_in_another(shop: Path) -> None:
    assert [line.product for line in lines(written(shop, "es-CO", "CO"), "dame 2 tintos")] == ["cafe"]
    assert [line.known for line in lines(written(shop, "es-AR", "AR"), "dame 2 tintos")] == [False]


def test_an_agent_brings_words_of_its_own(shop: Path) -> None:
    folder = written(shop, "es-AR", "AR", "words: words.txt\n")
    (folder / "words.txt").write_text("# ours\n[goods]\nlupulina = cerveza\ncafecito de la casa = café\n")
    assert [line.product for line in lines(folder, "2 lupulinas y un cafecito de la casa")] == ["cerveza", "cafe"]


def test_an_agent_says_how_to_read_a_word(shop: Path) -> None:
    slots = 'words: words.txt\nslots: {day: {type: date, ask: "¿Qué día?"}}\n'
    folder = written(shop, "es", "CL", slots)
    (folder / "words.txt").write_text("[reads as]\npasao mañana = pasado mañana\n")
    heard = reading(folder, "para pasao mañana porfa")
    day = heard.values.of(load_agent(folder).agent.slots["day"])[0]
    assert day.value == "2027-03-03"
    assert heard.text.original(day.start, day.end) == "pasao mañana"


def test_a_wrong_pack_is_told_with_file_and_line(shop: Path) -> None:
    folder = written(shop, "es", "MX", "words: words.txt\n")
    (folder / "words.txt").write_text("[goods]\nchelas cerveza\n[god]\n")
    with pytest.raises(FileProblems) as raised:
        load_agent(folder)
    assert [problem.line for problem in raised.value.problems] == [2, 3]
    told = CliRunner().invoke(command, [str(folder)])
    assert told.exit_code == 1
    assert "words.txt:2:1: this line does not say what something means" in told.output


def test_a_pack_that_is_not_there_is_a_problem(shop: Path) -> None:
    with pytest.raises(FileProblems, match=r"words\.txt.*cannot be read"):
        load_agent(written(shop, "es", "MX", "words: words.txt\n"))


# --- languages ------------------------------------------------------------------------------------------


def checked(folder: Path, language: str) -> tuple[int, str]:
    (folder / "agent.yaml").write_text(
        f"agent: a\nlanguage: {language}\nflows: {{hi: {{starts: always, steps: [{{say: greeting}}]}}}}\n"
    )
    told = CliRunner().invoke(command, [str(folder)])
    return told.exit_code, told.output


@pytest.mark.parametrize("language", ["es", "es-AR", "es-CO", "es-ES", "es-MX", "en", "pt-BR"])
def test_a_language_that_we_speak_is_no_news(tmp_path: Path, language: str) -> None:
    code, told = checked(tmp_path, language)
    assert code == 0
    assert "warning" not in told


@pytest.mark.parametrize(
    ("language", "speaks"), [("es-PE", "es"), ("es-CL", "es"), ("pt", "pt-BR"), ("pt-PT", "pt-BR"), ("en-GB", "en")]
)
def test_another_country_is_spoken_to_as_its_language_is(tmp_path: Path, language: str, speaks: str) -> None:
    code, told = checked(tmp_path, language)
    assert code == 0
    assert f"2:11: warning: the engine has no texts of its own for `{language}`: it speaks as in `{speaks}`" in told


def test_the_countries_that_a_language_is_spoken_for_are_named(tmp_path: Path) -> None:
    _, told = checked(tmp_path, "es-UY")
    assert "it has texts of its own for es-AR, es-CO, es-ES, es-MX" in " ".join(told.split())


def test_a_language_without_a_pack_runs_and_is_told_what_works(tmp_path: Path) -> None:
    code, told = checked(tmp_path, "fr")
    assert code == 0
    assert "warning: there is no pack of words for `fr`" in told
    assert "not yes and no in words" in told
    agent = load_agent(tmp_path).agent
    assert agent.templates["greeting"].text == "Hi there!"
    assert read(understander(agent), "bonjour, je voudrais 2 croissants", at=NOW).text.folded.startswith("bonjour")


@pytest.mark.parametrize(
    ("language", "hint"), [("es-ar", "did you mean `es-AR`?"), ("español", "a tag such as"), ("ES", "did you mean")]
)
def test_what_is_no_language_is_refused(tmp_path: Path, language: str, hint: str) -> None:
    code, told = checked(tmp_path, language)
    assert code == 1
    assert f"`{language}` is not a language" in told
    assert hint in told

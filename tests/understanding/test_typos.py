"""A word of a table is found behind one typo."""

from hypothesis import assume, given
from hypothesis import strategies as st

from hilo.recognisers.phrases import (
    LONGEST_WORD,
    OWN_WORDS,
    SHORTEST_WITH_TYPO,
    PhraseToken,
    compile_phrases,
    label,
    one_typo_apart,
)
from hilo.understanding.orders import words

TABLE = compile_phrases(words.TABLE, words.CLASSES)
LONG = [word for word in TABLE.labels if len(word) >= SHORTEST_WITH_TYPO]


@st.composite
def mistyped(draw: st.DrawFn) -> str:
    """A word of the table with a letter lost, changed, added, or swapped with the next."""
    word, letter = draw(st.sampled_from(LONG)), draw(st.sampled_from("abceilmnorstuvz"))
    at = draw(st.integers(0, len(word)))
    before, behind = word[:at], word[at:]
    return draw(
        st.sampled_from(
            (
                before + behind[1:],
                before + letter + behind[1:],
                before + letter + behind,
                before + behind[:2][::-1] + behind[2:],
            )
        )
    )


@given(mistyped())
def test_a_word_is_found_if_it_is_the_only_one_that_is_a_typo_apart(written: str) -> None:
    assume(written not in TABLE.labels and written not in OWN_WORDS and written[:-1] not in TABLE.labels)
    near = [each for each in LONG if one_typo_apart(written, each)]
    long = SHORTEST_WITH_TYPO <= len(written) <= LONGEST_WORD
    expected = TABLE.labels[near[0]] if len(near) == 1 and long else ()
    assert label(TABLE, [PhraseToken(written, 0, len(written))]) == [expected]

"""An agent's SQL as sqlglot reads it; what is run is made of the very tokens that were parsed."""

import logging
import re
import sqlite3
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from hilo.store.queries import Dialect, Query

# it warns of statements that it does not know; we refuse those, or leave them to the database
logging.getLogger("sqlglot").setLevel(logging.ERROR)


def words(text: str) -> frozenset[str]:
    """A table of words."""
    return frozenset(text.split())


_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_WORD = re.compile(r"[^\W\d]\w*")
_QUOTED = {TokenType.STRING: re.compile(r"'([^']|'')*'"), TokenType.IDENTIFIER: re.compile(r'"([^"]|"")*"')}
_FIRST = frozenset({"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "("})
_TABLE_OPTIONS = frozenset({"STRICT", "WITHOUT", "ROWID", ","})
_NUMBERS = frozenset({"STR", "STRING"})

# the parts of a statement that are judged here or in the proof, as sqlglot calls them
_PARTS = words("""
    select union intersect except subquery with cte tablealias from join where group having order ordered limit offset
    distinct lock window windowspec filter withingroup values tuple insert update delete returning onconflict schema
    table lateral unnest column identifier star alias paren placeholder literal null boolean var datatype datatypeparam
    collate interval columndef jsonpath jsonpathroot jsonpathsubscript jsonpathkey
    and or not eq neq gt gte lt lte is in between like ilike glob escape exists nullsafeeq nullsafeneq any all
    add sub mul div intdiv mod neg dpipe bitwiseand bitwiseor bitwisexor bitwisenot bitwiseleftshift bitwiserightshift
    case if cast array
""")
# those that compute from what they are given: none reads a table, a file, a setting or another server
_FUNCTIONS = words("""
    coalesce nullif count sum avg min max total abs round ceil floor sign pow sqrt greatest least
    lower upper length trim substring replace strposition left right pad repeat reverse concat concatws groupconcat
    printf format hex quote unicode ascii chr initcap translate splitpart startswith md5 rand typeof
    rownumber rank denserank percentrank cumedist ntile lag lead firstvalue lastvalue nthvalue
    logicaland logicalor every arrayagg arraysize explode generateseries explodinggenerateseries
    jsonextract jsonextractscalar jsonobject jsontype jsonarrayagg jsonobjectagg jsonbobjectagg jsonset jsonremove
    json json_array json_array_length json_valid json_group_array json_group_object json_insert json_replace json_quote
    json_each json_tree json_array_elements json_array_elements_text json_each_text json_build_object json_build_array
    jsonb_build_object jsonb_build_array jsonb_agg jsonb_array_length jsonb_array_elements jsonb_array_elements_text
    jsonb_each jsonb_each_text jsonb_set jsonb_typeof jsonb_to_recordset jsonb_extract_path_text to_jsonb to_json
    date time datetime julianday strftime timetostr unixepoch currenttimestamp currentdate currenttime datetrunc
    timestamptrunc extract tochar unixtotime strtotime strtodate age make_date
""")


@dataclass(frozen=True, slots=True)
class Refused(Exception):  # noqa: N818 -- it names what happened
    """A statement that may not run: what is wrong with it, where in it, and how to fix it."""

    message: str
    hint: str
    line: int = 1
    column: int = 1


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """One statement: its tree, and what the driver of its dialect is given."""

    tree: exp.Expr
    query: Query


@lru_cache(maxsize=512)  # an agent is read again for each of its versions and conversations
def parse_statement(sql: str, dialect: Dialect) -> ParsedStatement:
    """Raises Refused for what is not one plain statement of known parts."""
    tokens = list(tokenize(sql, dialect))
    while tokens[-1].token_type is TokenType.SEMICOLON and len(tokens) > 1:
        tokens.pop()
    if tokens[0].text.upper() not in _FIRST:
        hint = "write SELECT, INSERT, UPDATE or DELETE; what makes or changes tables belongs into a migration"
        raise Refused(f"`{tokens[0].text}` begins no statement that a tool may run", hint, line=tokens[0].line)
    for token in tokens:
        _check_token(token, sql)
    tree = _tree(tokens, sql, dialect)
    for node in tree.walk():
        _check_node(node)
    query = _query(tokens, sql, dialect)
    if len(list(tree.find_all(exp.Placeholder))) != sum(each.token_type is TokenType.COLON for each in tokens):
        raise Refused("a colon that begins no value", "write each value as `:name`")
    return ParsedStatement(tree, query)


@lru_cache(maxsize=512)
def tokenize(sql: str, dialect: Dialect) -> tuple[Token, ...]:
    """The tokens of a text without its comments; raises Refused where a quote is never closed."""
    try:
        return tuple(Grammar.get_or_raise(dialect).tokenize(sql))
    except SqlglotError as error:
        raise Refused(f"it cannot be read: {error}", "close what is quoted") from None


def _tree(tokens: list[Token], sql: str, dialect: Dialect) -> exp.Expr:
    hint = "fix it; what one database alone takes is marked (sqlite) or (postgres), with another form for the other"
    try:
        trees = Grammar.get_or_raise(dialect).parser().parse(tokens, sql)
    except SqlglotError as error:
        found = (getattr(error, "errors", None) or [{}])[0]
        why = found.get("description") or str(error)
        at = {"line": found.get("line") or 1, "column": found.get("col") or 1}
        raise Refused(f"it cannot be parsed: {why}", hint, **at) from None
    if len(trees) != 1 or trees[0] is None:
        raise Refused("it is more than one statement", "give each statement a name of its own")
    return trees[0]


def _check_token(token: Token, sql: str) -> None:
    """Only tokens that sqlglot and both databases take apart alike."""
    text = sql[token.start : token.end + 1]
    quoted = _QUOTED.get(token.token_type)
    plain = quoted.fullmatch(text) if quoted else "'" not in text and '"' not in text
    if token.token_type is TokenType.VAR:
        plain = _WORD.fullmatch(text)
    if not plain:
        hint = "write texts as '…', names as \"…\" or without quotes, and values as `:name`"
        raise Refused(f"`{text}` is not read alike everywhere", hint, line=token.line)


def _check_node(node: exp.Expr) -> None:
    """Whatever is not known to stay within the tables that it names is refused."""
    name = node.name.lower() if isinstance(node, exp.Anonymous) else node.key
    match node:
        case exp.Anonymous() if name not in _FUNCTIONS:
            why = f"the function `{name}` is not one of those that only compute from what they are given"
        case _ if name not in _PARTS and name not in _FUNCTIONS:
            why = f"`{node.key.upper()}` cannot be judged"
        case exp.Placeholder() if not isinstance(node.this, str):
            why = "a value has no name"
        case exp.In() if node.args.get("field"):
            why = "IN is followed by a name without parentheses"
        case _:
            return
    line, column = place(node)
    raise Refused(why, "say it in other words, or do it in the tool", line=line, column=column)


def _query(tokens: list[Token], sql: str, dialect: Dialect) -> Query:
    """The tokens again, without comments: nothing is run that was not parsed."""
    names: dict[str, int] = {}
    parts: list[str] = []
    end = 0
    for before, token in zip([None, *tokens], tokens, strict=False):
        text = sql[token.start : token.end + 1]
        parts.append(" " if token.start > end and parts else "")
        end = token.end + 1
        if before is None or before.token_type is not TokenType.COLON:
            parts.append(text)
            continue
        number = names.setdefault(text, len(names) + 1)
        parts[-2:] = [f"${number}" if dialect == "postgres" else f":{text}"]
    return Query("".join(parts), tuple(names))


# --- names and places -----------------------------------------------------------------------------------


def plain_name(node: exp.Expr | None, dialect: Dialect) -> str:
    """A name as the database compares it: PostgreSQL minds the case of what is quoted, SQLite never does."""
    if node is None:
        return ""
    identifier = node if isinstance(node, exp.Identifier) else node.find(exp.Identifier)
    if identifier is None:
        return node.name.translate(_LOWER)
    text: str = identifier.name
    return text if dialect == "postgres" and identifier.args.get("quoted") else text.translate(_LOWER)


def place(node: exp.Expr) -> tuple[int, int]:
    """Line and column of the first name in it, as far as it is known."""
    for each in node.find_all(exp.Identifier, exp.Anonymous, exp.Star):
        if line := each.meta.get("line"):
            return line, max(each.meta.get("col", 1) - len(each.name) + 1, 1)
    return 1, 1


# --- migrations -----------------------------------------------------------------------------------------


def split_statements(text: str, dialect: Dialect = "postgres") -> Iterator[str]:
    """The statements of a file; the body of a trigger or a function stays whole."""
    tokens = tokenize(text, dialect)
    start = 0
    words: list[str] = []
    for token in tokens:
        if token.token_type is not TokenType.SEMICOLON:
            words.append(token.text.upper())
            continue
        trigger = "TRIGGER" in words[1:3] and "BEGIN" in words
        if trigger and not sqlite3.complete_statement(text[start : token.end + 1]):
            continue
        if words:
            yield text[start : token.start].strip()
        start, words = token.end + 1, []
    if words:
        yield text[start:].strip()


@lru_cache(maxsize=512)
def parse_migration(sql: str, dialect: Dialect) -> exp.Expr | None:
    """A step of a migration, if it is one whose effect on the tables can be read."""
    try:
        tokens = list(tokenize(sql, dialect))
        if dialect == "sqlite":
            tokens = _as_sqlite_means(tokens)
        trees = Grammar.get_or_raise(dialect).parser().parse(tokens, sql)
    except (Refused, SqlglotError):
        return None
    return trees[0] if len(trees) == 1 else None


def _as_sqlite_means(tokens: list[Token]) -> list[Token]:
    """STRICT and WITHOUT ROWID change nothing for us; STRING, which sqlglot takes for text, is a number there."""
    last = max((at for at, each in enumerate(tokens) if each.token_type is TokenType.R_PAREN), default=-1)
    options = {each.text.upper() for each in tokens[last + 1 :]}
    if last >= 0 and options <= _TABLE_OPTIONS:
        tokens = tokens[: last + 1]
    return [_as_number(each) if each.text.upper() in _NUMBERS else each for each in tokens]


def _as_number(token: Token) -> Token:
    return Token(TokenType.DECIMAL, token.text, token.line, token.col, token.start, token.end)

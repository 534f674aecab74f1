"""Whether every row that a statement of an agent reads or changes is proved to be of its own workspace."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlglot import exp

from hilo.store.own_parse import Refused, place, plain_name
from hilo.store.queries import Dialect

COLUMNS = ("workspace_id", "workspace")  # the first of these that a table has keeps its businesses apart

_BOUND = ":workspace"  # stands for the value in a proof; no alias is called so
_JOINS = frozenset({"", "INNER", "CROSS", "OUTER"})
_QUERIES = (exp.Query, exp.DML, exp.Values)
# what a function in FROM may call its columns, apart from its own name and alias
_FUNCTION_COLUMNS = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path", "ordinality")
_INSERT_PARTS = frozenset({"this", "expression", "with_", "conflict", "returning", "default", "alternative"})
_VIEW_PARTS = frozenset({"expressions", "from_", "joins", "where", "group"})


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table or view of an agent; one without a column for the workspace is the same for all."""

    columns: tuple[str, ...]
    workspace: str = ""
    view: bool = False
    unsound: str = ""  # why its column does not keep the workspaces apart


@dataclass(frozen=True, slots=True)
class TableRef:
    """One name in a FROM, or the target of a change, and what it stands for."""

    alias: str
    columns: tuple[str, ...] | None  # None: not known
    workspace: str = ""  # the column to prove; none where no rows of several workspaces can be
    node: exp.Expr | None = None


@dataclass(frozen=True, slots=True)
class QueryScope:
    """The names that one query sees: its own, and those of the queries around it."""

    refs: dict[str, TableRef] = field(default_factory=dict)
    ctes: Mapping[str, TableRef] = field(default_factory=dict)
    around: "QueryScope | None" = None

    def owner(self, column: exp.Expr, dialect: Dialect) -> "tuple[QueryScope, TableRef] | None":
        """Whose workspace column this is; none if it is another one, or may be that of several."""
        if not isinstance(column, exp.Column) or column.args.get("db"):
            return None
        name, table = plain_name(column.this, dialect), plain_name(column.args.get("table"), dialect)
        if table:
            found = [self.refs[table]] if table in self.refs else []
        else:
            found = [each for each in self.refs.values() if each.columns is None or name in each.columns]
        if not found:
            return self.around.owner(column, dialect) if self.around else None
        return (self, found[0]) if len(found) == 1 and found[0].workspace == name else None


@dataclass(frozen=True, slots=True)
class _Equality:
    """What is equal in every row; after an outer join only where a row of `proves` is there."""

    left: exp.Expr
    right: exp.Expr
    proves: frozenset[str] | None = None


def stray_references(tree: exp.Expr, tables: Mapping[str, OwnTable], dialect: Dialect) -> list[Refused]:
    """Each reference that is not proved to keep to `:workspace`; raises Refused for what cannot be judged."""
    proof = Proof(tables, dialect)
    proof.query(tree, QueryScope())
    for table in tree.find_all(exp.Table):
        # nobody has judged a table that stands where the walk does not look; FOR UPDATE OF names no new one
        if id(table) not in proof.seen and not table.find_ancestor(exp.Lock):
            raise refused(table, f"`{table.name}` stands where it cannot be judged", "say it in other words")
    return proof.strays


def view_of(query: exp.Expr, tables: Mapping[str, OwnTable], dialect: Dialect) -> OwnTable:
    """A view is as good as a table if one column tells the rows of all that it reads apart."""
    proof = Proof(tables, dialect)
    parts = {key for key, value in query.args.items() if value}
    if not isinstance(query, exp.Select) or parts - _VIEW_PARTS or query.find(exp.Window):
        return OwnTable((), view=True, unsound="it is more than SELECT, FROM, JOIN, WHERE and GROUP BY")
    try:
        scope, equalities = proof.read(query, QueryScope())
        columns = _view_columns(query, scope, dialect)
        workspace = next((each for each in COLUMNS if each in columns), "")
        handed_on = columns.get(workspace)
        if handed_on and _keeps_rows_apart(query, handed_on, scope, dialect):
            equalities.append(_Equality(handed_on, exp.Placeholder(this="workspace")))
        proof.prove(scope, equalities)
        proof.inner(query, scope)
    except Refused as error:
        return OwnTable((), view=True, unsound=error.message)
    unsound = "it hands on no column that tells the workspaces of all its rows apart" if proof.strays else ""
    needed = any(ref.workspace for ref in scope.refs.values())
    return OwnTable(tuple(columns), workspace if needed else "", view=True, unsound=unsound)


def _view_columns(query: exp.Select, scope: QueryScope, dialect: Dialect) -> dict[str, exp.Expr]:
    columns: dict[str, exp.Expr] = {}
    for each in query.selects:
        table = plain_name(each.args.get("table"), dialect)
        refs = scope.refs.values() if each.is_star else ()
        listed = [(ref.alias, name) for ref in refs if table in ("", ref.alias) for name in ref.columns or ()]
        made: dict[str, exp.Expr] = {name: exp.column(name, alias, quoted=True) for alias, name in listed}
        columns |= made or {plain_name(each.args.get("alias") or each, dialect): each.unalias()}
    return columns


def _keeps_rows_apart(query: exp.Select, column: exp.Expr, scope: QueryScope, dialect: Dialect) -> bool:
    """To compare the column outside is the same as inside, unless rows are put together before."""
    group = query.args.get("group")
    if not group and not any(each.find(exp.AggFunc) for each in query.selects):
        return True
    owner = scope.owner(column, dialect)
    return group is not None and owner in [scope.owner(each, dialect) for each in group.expressions]


@dataclass(slots=True)
class Proof:
    """A walk through all queries of a statement; `strays` is what it could not prove."""

    tables: Mapping[str, OwnTable]
    dialect: Dialect
    strays: list[Refused] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)  # tables and queries that were judged

    def query(self, node: exp.Expr, around: QueryScope) -> None:
        """Judge one query where it stands, and all within it."""
        self.seen.add(id(node))
        around = self._with(node, around)
        match node:
            case exp.Subquery(this=exp.Table()):
                raise refused(node, "a join in parentheses cannot be judged", "write the joins one after another")
            case exp.Insert():
                around = self._insert(node, around)
            case exp.Select():
                around = self._rows(node, around)
            case exp.Update() | exp.Delete():
                self._check_assignments(node.expressions, self._target(node.this))
                around = self._rows(node, around)
            case exp.Subquery() | exp.SetOperation() | exp.Values():
                pass  # what they are made of is within
            case _:
                raise refused(node, f"{node.key.upper()} cannot be judged", "write SELECT, INSERT, UPDATE or DELETE")
        self.inner(node, around)

    def _rows(self, node: exp.Expr, around: QueryScope) -> QueryScope:
        scope, equalities = self.read(node, around)
        self.prove(scope, equalities)
        return scope

    def inner(self, node: exp.Expr, scope: QueryScope) -> None:
        """The queries within a node that were not judged as what it reads from."""
        for each in node.iter_expressions():
            if id(each) in self.seen and isinstance(each, _QUERIES):
                continue
            if isinstance(each, _QUERIES):
                self.query(each, scope)
            else:
                self.inner(each, scope)

    def _with(self, node: exp.Expr, around: QueryScope) -> QueryScope:
        """What a WITH names is visible to what comes after it, and to itself if it is RECURSIVE."""
        found = node.args.get("with_") or exp.With()
        for cte in found.expressions:
            name = plain_name(cte.args["alias"].this, self.dialect)
            if name in around.ctes or name in self.tables:
                raise refused(cte, f"`{name}` is the name of another table", "give the WITH another name")
            ref = TableRef(name, _renamed(cte, self.dialect) or _output(cte.this, self.dialect))
            after = replace(around, ctes={**around.ctes, name: ref})
            self.query(cte.this, after if found.recursive else around)
            around = after
        return around

    # --- what is read -----------------------------------------------------------------------------------

    def read(self, node: exp.Expr, around: QueryScope) -> tuple[QueryScope, list[_Equality]]:
        """What a query reads or changes, and what its joins and its WHERE make equal."""
        scope = QueryScope({}, around.ctes, around)
        equalities: list[_Equality] = []
        sources = [node.this] if isinstance(node, exp.Update | exp.Delete) else []
        sources += [node.args["from_"].this] if node.args.get("from_") else []
        sources += node.args.get("using") or []
        for source in sources:
            self._enter(source, scope)
            equalities += self._join(source.args.get("joins"), scope)
        equalities += self._join(node.args.get("joins"), scope)
        if where := node.args.get("where"):
            equalities += _equalities(where.this, None)
        return scope, equalities

    def _join(self, joins: list[exp.Join] | None, scope: QueryScope) -> Iterator[_Equality]:
        for join in joins or ():
            if join.args.get("method") or join.args.get("using"):
                raise refused(join, "USING and NATURAL do not show what is compared", "write JOIN with ON")
            if join.kind.upper() not in _JOINS:
                raise refused(join, f"a {join.kind} JOIN cannot be judged", "write JOIN with ON")
            before = frozenset(scope.refs)
            alias = self._enter(join.this, scope)
            # an outer join keeps rows of one side for which ON does not hold, and a FULL one those of both
            proves = {"": None, "LEFT": frozenset({alias}), "RIGHT": before}.get(join.side.upper(), frozenset())
            if on := join.args.get("on"):
                yield from _equalities(on, proves)
            yield from self._join(join.this.args.get("joins"), scope)

    def _enter(self, source: exp.Expr, scope: QueryScope) -> str:
        ref = self._ref(source, scope)
        if ref.alias in scope.refs:
            hint = "give each of them a name of its own with AS"
            raise refused(source, f"two tables of one query are called `{ref.alias}`", hint)
        scope.refs[ref.alias] = ref
        return ref.alias

    def _ref(self, source: exp.Expr, scope: QueryScope) -> TableRef:
        alias = plain_name(source.args.get("alias"), self.dialect)
        renamed = _renamed(source, self.dialect)
        read = source.this if isinstance(source, exp.Lateral) else source
        match read:
            case exp.Table(this=exp.Identifier()):
                ref = self._table(read, scope.ctes)
                if renamed and ref.workspace:
                    raise refused(read, "columns under other names cannot be judged", "leave out their names")
            case exp.Subquery() | exp.Values():
                assert scope.around is not None  # noqa: S101 -- every scope but the outermost stands in another
                self.query(read, scope.around)  # what stands in parentheses does not see its neighbours
                ref = TableRef(f"({len(scope.refs)})", _output(read, self.dialect))
            case exp.Table() | exp.Unnest() | exp.Func():
                self.seen.add(id(read))
                called = read.find(exp.Anonymous)
                name = called.name.lower() if called else "generate_series" if read.find(exp.Func) else "unnest"
                ref = TableRef(name, (*_FUNCTION_COLUMNS, name, alias))
            case _:
                raise refused(read, f"{read.key.upper()} cannot be judged", "read from tables")
        return replace(ref, alias=alias or ref.alias, columns=renamed or ref.columns)

    def _table(self, node: exp.Table, ctes: Mapping[str, TableRef]) -> TableRef:
        self.seen.add(id(node))
        name = plain_name(node.this, self.dialect)
        if node.args.get("db") or node.args.get("catalog"):
            raise refused(node, f"`{node.db}.{name}` names a schema", "name tables of this agent, without a schema")
        if name in ctes:
            return ctes[name]
        table = self.tables.get(name)
        if table is None:
            raise refused(node, f"`{name}` is no table of this agent", "name a table that its migrations make")
        if table.unsound:
            raise refused(node, f"`{name}` cannot be judged: {table.unsound}", "read from other tables, or change it")
        return TableRef(name, table.columns, table.workspace, node)

    # --- the proof --------------------------------------------------------------------------------------

    def prove(self, scope: QueryScope, equalities: Iterable[_Equality]) -> None:
        """Go on from `:workspace` along what is equal to it; what is not reached is a stray."""
        pairs: list[tuple[str, str, frozenset[str] | None]] = []
        for each in equalities:
            left, right = self._side(each.left, scope), self._side(each.right, scope)
            pairs += [(left, right, each.proves), (right, left, each.proves)]
        proved: set[str] = set()
        reached = {_BOUND}
        while reached:
            proved |= reached
            reached = set()
            for known, other, proves in pairs:
                if known in proved and other and other not in proved and (proves is None or other in proves):
                    reached.add(other)
        for ref in scope.refs.values():
            if ref.workspace and ref.alias not in proved:
                self._stray(ref)

    def _side(self, node: exp.Expr, scope: QueryScope) -> str:
        """`:workspace`, or the name whose workspace column this is, or nothing."""
        if _is_bound(node):
            return _BOUND
        match scope.owner(node.unnest(), self.dialect):
            case None:
                return ""
            case (where, ref) if where is scope:
                return ref.alias
        return _BOUND  # a name of a query around: there it is proved, or the statement is refused

    def _stray(self, ref: TableRef) -> None:
        assert ref.node is not None  # noqa: S101 -- only tables have a column to prove
        name = ref.node.name
        called = name if name.lower() == ref.alias else f"{name} AS {ref.alias}"
        hint = f"demand `{ref.alias}.{ref.workspace} = :workspace` in its WHERE or JOIN, not within OR"
        self.strays.append(refused(ref.node, f"it would reach rows of all workspaces in {called}", hint))

    # --- what is changed --------------------------------------------------------------------------------

    def _target(self, node: exp.Expr) -> OwnTable:
        """The table that is changed; where rows have no workspace they are those of all."""
        name = self._table(node, {}).alias if isinstance(node, exp.Table) else ""
        table = self.tables.get(name)
        if table is None or table.view or not table.workspace:
            hint = f"give it a column {COLUMNS[0]}; what all workspaces share is written by migrations"
            raise refused(node, f"it would change `{name}`, which has no column for the workspace", hint)
        return table

    def _check_assignments(self, assignments: list[exp.Expr], table: OwnTable) -> None:
        for each in assignments:
            column = each.this
            if not isinstance(column, exp.Column) or column.args.get("table"):
                raise refused(each, "several columns are set at once", "write SET column = value for each of them")
            if plain_name(column.this, self.dialect) == table.workspace and not self._keeps(each.expression, table):
                raise refused(each, "it would give rows to another workspace", "leave that column out of SET")

    def _keeps(self, value: exp.Expr, table: OwnTable) -> bool:
        from_new_row = plain_name(value.args.get("table"), self.dialect) == "excluded"
        return _is_bound(value) or (from_new_row and plain_name(value.this, self.dialect) == table.workspace)

    def _insert(self, node: exp.Insert, around: QueryScope) -> QueryScope:
        """Judge the new rows; what RETURNING and ON CONFLICT see is a row of this workspace."""
        target = node.this.this if isinstance(node.this, exp.Schema) else node.this
        table = self._target(target)
        if (instead := node.args.get("alternative")) and instead.upper() != "IGNORE":
            hint = "write INSERT with ON CONFLICT (its key) DO UPDATE"
            raise refused(node, f"{instead} may do away with rows that are in its way", hint)
        if unknown := [key for key, value in node.args.items() if value and key not in _INSERT_PARTS]:
            raise refused(node, f"`{unknown[0]}` of INSERT cannot be judged", "write INSERT INTO, VALUES or SELECT")
        self._check_new_rows(node, table)
        self._check_conflict(node.args.get("conflict"), table)
        if node.expression:
            self.query(node.expression, around)
        name = plain_name(target.args.get("alias") or target.this, self.dialect)
        refs = {each: TableRef(each, table.columns, table.workspace) for each in (name, "excluded")}
        return QueryScope(refs, around.ctes, around)

    def _check_new_rows(self, node: exp.Insert, table: OwnTable) -> None:
        names = list(table.columns)
        if isinstance(node.this, exp.Schema):
            names = [plain_name(each, self.dialect) for each in node.this.expressions]
        at = names.index(table.workspace) if table.workspace in names else len(names)
        for row in _new_rows(node.expression):
            starred = any(each.is_star for each in row[:at])
            if starred or at >= len(row) or not _is_bound(row[at].unalias()):
                hint = f"put `:workspace` itself into {table.workspace}, and name columns instead of `*`"
                raise refused(node, "it would add rows to another workspace, or to none", hint)

    def _check_conflict(self, conflict: exp.Expr | None, table: OwnTable) -> None:
        if conflict is None:
            return
        if conflict.args.get("constraint") or conflict.args.get("duplicate"):
            raise refused(conflict, "it does not show which key is meant", "write ON CONFLICT (its columns)")
        keys = [each.unnest() for each in conflict.args.get("conflict_keys") or ()]
        columns = [each.this if isinstance(each, exp.Ordered) else each for each in keys]
        names = [plain_name(each.this, self.dialect) for each in columns if isinstance(each, exp.Column)]
        if (keys or conflict.expressions) and table.workspace not in names:
            hint = f"let the key, and ON CONFLICT, begin with {table.workspace}"
            raise refused(conflict, "it would reach rows of all workspaces that are in its way", hint)
        self._check_assignments(conflict.expressions, table)


# --- reading trees --------------------------------------------------------------------------------------


def refused(node: exp.Expr, message: str, hint: str) -> Refused:
    """A refusal with the place of a node."""
    line, column = place(node)
    return Refused(message, hint, line=line, column=column)


def _equalities(condition: exp.Expr, proves: frozenset[str] | None) -> Iterator[_Equality]:
    """What must be equal for a condition to hold: the parts that AND joins."""
    match condition.unnest():
        case exp.And(this=left, expression=right):
            yield from _equalities(left, proves)
            yield from _equalities(right, proves)
        case exp.EQ(this=left, expression=right):
            yield _Equality(left, right, proves)


def _is_bound(node: exp.Expr) -> bool:
    """Whether it is `:workspace` itself, perhaps as text."""
    node = node.unnest()
    if isinstance(node, exp.Cast) and node.to.this == exp.DType.TEXT and not node.to.expressions:
        node = node.this.unnest()
    return isinstance(node, exp.Placeholder) and node.this == "workspace"


def _new_rows(source: exp.Expr | None) -> Iterator[list[exp.Expr]]:
    """The cells of each row that is added, or of each query that adds some."""
    match source:
        case exp.Values():
            for row in source.expressions:
                yield row.expressions if isinstance(row, exp.Tuple) else [row]
        case exp.SetOperation(this=left, expression=right):
            yield from _new_rows(left)
            yield from _new_rows(right)
        case exp.Subquery(this=query):
            yield from _new_rows(query)
        case exp.Select():
            yield source.expressions
        case _:
            yield []


def _output(query: exp.Expr, dialect: Dialect) -> tuple[str, ...] | None:
    """The columns that a query gives, or more: a name too many only makes it harder to prove something."""
    if isinstance(query, exp.Values) or isinstance(query.this, exp.Values):
        return tuple(f"column{number}" for number in range(1, 100))
    returned = query.args.get("returning")
    names: list[str] = []
    for each in returned.expressions if returned else getattr(query, "selects", ()):
        if each.is_star:
            return None
        names += [plain_name(found.this, dialect) for found in each.find_all(exp.Column)]
        names.append(plain_name(each.args.get("alias"), dialect))
    return tuple(names)


def _renamed(source: exp.Expr, dialect: Dialect) -> tuple[str, ...]:
    alias: Any = source.args.get("alias")
    return tuple(plain_name(each, dialect) for each in alias.args.get("columns") or ()) if alias else ()

"""The tables and views of an agent, as the statements of its migrations make them."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from sqlglot import exp

from hilo.store.own_parse import parse_migration, plain_name, words
from hilo.store.own_scope import COLUMNS, OwnTable, refused, view_of
from hilo.store.queries import Dialect

# a test compares these with what the migrations of the store make
ENGINE_TABLES = words("""
    addresses agent_migrations agents alembic_version api_keys audit channels contacts handoffs ignored inbox
    mode_visits operators outbox publications receipts reservations sessions spending timers tool_calls turns usage work
    workspaces
""")
_TEXT = frozenset({exp.DType.TEXT, exp.DType.VARCHAR})
# a collation or a generated value would make one workspace equal to another
_CONSTRAINTS = (
    exp.NotNullColumnConstraint,
    exp.PrimaryKeyColumnConstraint,
    exp.UniqueColumnConstraint,
    exp.CheckColumnConstraint,
    exp.DefaultColumnConstraint,
    exp.Reference,
)
_Columns = dict[str, exp.Expr]


@dataclass(slots=True)
class OwnSchema:
    """What there is after the statements so far; those that cannot be read are left to the database."""

    dialect: Dialect
    made: dict[str, _Columns] = field(default_factory=dict)
    unsound: dict[str, str] = field(default_factory=dict)
    views: dict[str, OwnTable] = field(default_factory=dict)

    @property
    def tables(self) -> dict[str, OwnTable]:
        """Tables and views by their names."""
        return {name: _table(made, self.unsound.get(name, "")) for name, made in self.made.items()} | self.views

    def apply(self, sql: str) -> None:
        """Take note of what a statement does; raises Refused if it touches what is not the agent's."""
        tree = parse_migration(sql, self.dialect)
        if tree is None:
            return
        _check_names(tree.find_all(exp.Table), self.dialect)
        match tree:
            case exp.Create(kind="TABLE", this=exp.Schema() as made):
                self._create(made, unless_there=bool(tree.args.get("exists")))
            case exp.Create(kind="VIEW", this=exp.Table() as view):
                self.views[self._name(view)] = view_of(tree.expression, self.tables, self.dialect)
            case exp.Create(kind="INDEX", this=index) if tree.args.get("unique") and tree.find(exp.Collate):
                # ON CONFLICT goes by an index, and one that compares otherwise takes two workspaces for one
                self.unsound[self._name(index.args["table"])] = "a unique index of it has a collation"
            case exp.Drop(kind="TABLE" | "VIEW"):
                for each in tree.find_all(exp.Table):
                    self.made.pop(self._name(each), None)
                    self.views.pop(self._name(each), None)
            case exp.Alter(kind="TABLE"):
                self._alter(self._name(tree.this), tree.args.get("actions") or ())

    def _name(self, node: exp.Expr) -> str:
        return plain_name(node.this, self.dialect)

    def _create(self, made: exp.Schema, *, unless_there: bool) -> None:
        name = self._name(made.this)
        if unless_there and name in self.made:
            return
        self.made[name] = {self._name(each): each for each in made.expressions if isinstance(each, exp.ColumnDef)}
        self.unsound.pop(name, None)
        if any(isinstance(each, exp.LikeProperty) for each in made.expressions):
            self.unsound[name] = "its columns are those of another table"

    def _alter(self, name: str, actions: Iterable[exp.Expr]) -> None:
        for action in actions:
            columns = self.made.get(name, {})
            match action:
                case exp.ColumnDef():
                    columns[self._name(action)] = action
                case exp.AlterRename(this=target) if name in self.made:
                    self._doubt_views()
                    self.made[self._name(target)] = self.made.pop(name)
                    name = self._name(target)
                case exp.RenameColumn(this=old):
                    self._doubt_views()
                    new, old_name = self._name(action.args["to"]), self._name(old)
                    self.made[name] = {new if each == old_name else each: made for each, made in columns.items()}
                case exp.Drop(kind="COLUMN"):
                    columns.pop(plain_name(action.find(exp.Identifier), self.dialect), None)
                case exp.AlterColumn() if action.args.get("dtype") and self._name(action) in COLUMNS:
                    self.unsound[name] = "the type of its column for the workspace was changed"

    def _doubt_views(self) -> None:
        """Whether a view goes by the old or by the new names differs between databases."""
        why = "something was renamed after this view was made; make it again"
        self.views = {name: replace(view, unsound=why) for name, view in self.views.items()}


def _check_names(tables: Iterable[exp.Table], dialect: Dialect) -> None:
    for table in tables:
        name = plain_name(table.this, dialect)
        engine = name in ENGINE_TABLES and not table.find_ancestor(exp.Reference)
        if engine or table.args.get("db") or name.startswith(("pg_", "sqlite_")):
            hint = "begin the names of the agent's tables with its own, and name no schema"
            raise refused(table, f"`{table.sql()}` is no table of this agent", hint)


def _table(columns: _Columns, unsound: str) -> OwnTable:
    workspace = next((each for each in COLUMNS if each in columns), "")
    if workspace and not unsound:
        unsound = _unsound(columns[workspace])
    return OwnTable(tuple(columns), workspace, unsound=unsound)


def _unsound(column: exp.Expr) -> str:
    kind = column.args.get("kind")
    if not kind or kind.this not in _TEXT:
        return "its column for the workspace is not of the type TEXT"
    if not all(isinstance(each.kind, _CONSTRAINTS) for each in column.args.get("constraints") or ()):
        return "its column for the workspace has a collation or is generated"
    return ""

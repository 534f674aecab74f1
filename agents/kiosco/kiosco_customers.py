"""What the shop knows of a contact: who they are, where they live, what they bought and what they owe."""

import re
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from kiosco_cart import PICK_UP, Cart, read_cart, send_to
from kiosco_words import joined, pesos, plain

from hilo import ToolFailed, tables

MAX_NAME = 80
MAX_ADDRESS = 120
SHORTEST_ADDRESS = 5

_DNI = re.compile(r"[0-9]{7,8}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
# "Paso 450" and "Retiro, Libertador 100" are addresses; "paso a buscarlo" and "lo retiro yo" are none.
_PICK_UP = re.compile(
    r"(l[oa]s? )?(retir[oa]r?|busc[oa]r?|recoj[oa]|recoger)\b\D*"
    r"|(yo )?(l[oa]s? )?(paso|pasar|voy|vamos) (yo )?(a (busc|retir|recog|la tienda)|por (el local|ahi|alla)).*"
    r"|.*\b(en|por) el local|take ?away|pick ?up"
)


@dataclass(frozen=True, slots=True)
class Customer:
    """A contact as the shop knows them; empty texts are not known."""

    name: str = ""
    dni: str = ""
    address: str = ""
    phone: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """A customer with what they bought and owe, in cents."""

    customer: Customer
    orders: int
    spent: int
    debts: tuple[tuple[int, str, datetime], ...]
    missing: tuple[str, ...]  # what an order would need
    goes_to: str = ""  # where their next order goes
    cart_total: int = 0  # of what is in the cart

    @property
    def debt(self) -> int:
        """All that is owed."""
        return sum(cents for cents, _, _ in self.debts)


# --- reading and writing ------------------------------------------------------------------------------


def account(now: datetime) -> tables.Script[Account]:
    """All about the contact."""
    cart = yield from read_cart(now)
    row = yield from tables.one("customer")
    bought = yield from tables.one("bought")
    debts = yield from tables.execute("debts")
    names = ("name", "dni", "address", "phone", "email")
    return Account(
        Customer(**{name: row[name] for name in names}) if row else Customer(),
        orders=bought["orders"] if bought else 0,
        spent=bought["cents"] if bought else 0,
        debts=tuple((each["amount_cents"], each["reason"], tables.moment(each["owed_since"])) for each in debts),
        missing=cart.missing,
        goes_to=cart.address,
        cart_total=cart.total if cart.lines else 0,
    )


def update(told: Customer, *, now: datetime) -> tables.Script[Account]:
    """Keep what the contact told, the rest stays; that they come for it is said of one order only."""
    if told.address:
        yield from send_to(told.address, now=now)
    told = replace(told, address="") if told.address == PICK_UP else told
    yield from tables.execute("put_customer", at=tables.micros(now), **asdict(told))
    return (yield from account(now))


def ship_to(address: str, *, now: datetime) -> tables.Script[Cart]:
    """Where this order goes; the first address of a contact is remembered as theirs."""
    row = yield from tables.one("customer")
    if address != PICK_UP and not (row and row["address"]):
        yield from tables.execute("put_customer", at=tables.micros(now), **asdict(Customer(address=address)))
    return (yield from send_to(address, now=now))


# --- checking what was told ---------------------------------------------------------------------------


def checked_name(written: str) -> str:
    """A person's name, on one line."""
    name = " ".join(written.split())
    if not any(letter.isalpha() for letter in name) or len(name) > MAX_NAME:
        raise ToolFailed("bad_name", tell="No entendí el nombre. ¿Me lo escribís de nuevo?")
    return name


def checked_dni(written: str) -> str:
    """The digits of a DNI."""
    digits = re.sub(r"[\s.,-]|dni", "", plain(written))
    if not _DNI.fullmatch(digits):
        raise ToolFailed("bad_dni", tell="Ese DNI no parece correcto: son 7 u 8 números.")
    return digits


def checked_address(written: str) -> str:
    """Where an order goes; whoever says that they come for it picks it up."""
    address = " ".join(written.split())
    if _PICK_UP.fullmatch(plain(address)):
        return PICK_UP
    if not SHORTEST_ADDRESS <= len(address) <= MAX_ADDRESS or not any(letter.isalpha() for letter in address):
        raise ToolFailed("bad_address", tell="Pasame la dirección completa, con calle y número, o decime si retirás.")
    return address


def checked_email(written: str) -> str:
    """An e-mail address."""
    email = written.strip()
    if not _EMAIL.fullmatch(email) or len(email) > MAX_ADDRESS:
        raise ToolFailed("bad_email", tell="Ese correo no parece correcto. ¿Me lo escribís de nuevo?")
    return email


# --- what is said -------------------------------------------------------------------------------------


def told(known: Account) -> str:
    """What is known, in a sentence or two."""
    who = known.customer
    facts = (("Nombre", who.name), ("DNI", who.dni), ("Dirección", who.address))
    said = [f"{what}: {value}." for what, value in facts if value]
    return " ".join((*said, f"Me falta tu {joined(known.missing)}.") if known.missing else said)


def debt_told(known: Account) -> str:
    """What is owed, and for what."""
    if not known.debts:
        if known.cart_total:
            return f"Lo que llevás suma {pesos(known.cart_total)}. De antes no debés nada."
        return "No tenés ninguna deuda. ¡Estás al día!"
    each = "\n".join(f"• {reason}: {pesos(cents)}" for cents, reason, _ in known.debts)
    return f"Debés {pesos(known.debt)}:\n{each}"

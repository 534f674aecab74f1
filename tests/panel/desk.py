"""The panel in a real browser: what a person does and sees; and a customer, who has a chat and no browser."""

import asyncio
import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import BrowserContext, Locator, Page, expect

from patience import PATIENCE
from webchat.screen import SOON

PASSWORD = "una clave de prueba"  # noqa: S105 -- of a test


def a_mark() -> str:
    """What no other test says, and no agent takes for goods or a value: "4dd" is close to a snack called 3D."""
    return f"qz{secrets.randbelow(10**8):08}"


@dataclass(frozen=True)
class Account:
    login: str
    name: str
    password: str = PASSWORD


ANA = Account("ana", "Ana Ruiz")
LUIS = Account("luis", "Luis Peña")


@dataclass
class Customer:
    """Somebody who writes on a chat page."""

    url: str
    token: str

    @classmethod
    def new(cls, url: str, channel: str = "web-leads") -> "Customer":
        return cls(f"{url}/chat/{channel}", secrets.token_urlsafe(24))

    async def write(self, text: str) -> None:
        async with httpx.AsyncClient(timeout=PATIENCE) as http:
            body = {"id": secrets.token_urlsafe(12), "text": text, "payload": ""}
            answer = await http.post(f"{self.url}/messages", json=body, headers={"X-Visitor": self.token})
            assert answer.status_code == 202, answer.text

    async def read(self) -> list[str]:
        """What both sides said."""
        async with httpx.AsyncClient(timeout=PATIENCE) as http:
            answer = await http.get(f"{self.url}/messages", headers={"X-Visitor": self.token})
        return [message["text"] for message in answer.json()["messages"]]

    async def has(self, text: str) -> None:
        """Wait until it was said."""
        await self._until(lambda texts: text in texts)

    async def _until(self, is_so: Callable[[list[str]], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not is_so(await self.read()):  # noqa: ASYNC110 -- another process says it
                await asyncio.sleep(0.2)

    async def say(self, *texts: str) -> None:
        """One after the other, as an answer has come to each."""
        for text in texts:
            before = len(await self.read())
            await self.write(text)
            await self._until(lambda known, before=before: len(known) >= before + 2)  # type: ignore[misc]

    async def ask_for_a_person(self, words: str = "quiero hablar con una persona") -> None:
        """What follows can be seen by those who answer."""
        await self.write(words)
        await self._until(lambda texts: len(texts) > 1)


@dataclass(frozen=True)
class Desk:
    """The panel, open in a tab."""

    page: Page
    errors: list[str]

    @classmethod
    async def open(cls, context: BrowserContext, url: str, who: Account = ANA, way: str = "live") -> "Desk":
        page = await context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        await page.goto(f"{url}/panel")
        desk = cls(page, errors)
        await desk.log_in(who)
        await desk.is_live(way)
        return desk

    async def log_in(self, who: Account) -> None:
        await self.page.get_by_label("Usuario").fill(who.login)
        await self.page.get_by_label("Contraseña").fill(who.password)
        await self.page.get_by_role("button", name="Entrar").click()

    async def is_live(self, way: str = "live") -> None:
        await self.page.wait_for_selector(f"[data-link={way}]", state="attached", timeout=SOON)

    @property
    def session(self) -> str:
        """The one that is open, as the address says."""
        return self.page.url.split("?")[0].rpartition("/")[2]

    @property
    def rows(self) -> Locator:
        return self.page.locator(".row")

    async def seek(self, words: str, view: str = "waiting") -> None:
        """Look for those who wrote this."""
        await self.page.locator(f"[data-view={view}]").click()
        await self.page.locator("#search").fill(words)
        await self.page.wait_for_function("words => new URLSearchParams(location.search).get('q') === words", arg=words)
        await self.page.wait_for_selector(".rows[aria-busy=false]")

    async def choose(self, words: str, view: str = "waiting") -> None:
        """Open the conversation in which this was written."""
        await self.seek(words, view)
        await expect(self.rows).to_have_count(1)
        await self.rows.click()
        await expect(self.message(words)).to_be_visible()

    async def visit(self, page: str) -> None:
        """Another page, by its link."""
        await self.page.locator(f"[data-page={page}]").click()
        await expect(self.page.locator(f"[data-page={page}]")).to_have_attribute("aria-current", "page")

    def message(self, words: str) -> Locator:
        return self.page.locator(".message", has_text=words).first

    async def is_held(self, by: str) -> None:
        """`me`, `other`, `agent`, `nobody`, `paused` or `closed`."""
        await expect(self.page.locator(".badge")).to_have_attribute("data-holder", by)

    async def take(self) -> None:
        await self.page.locator("#take").click()
        await self.is_held("me")

    async def be_sure(self) -> None:
        """Yes, do it."""
        await self.page.locator("#do-it").click()
        await expect(self.page.locator("#do-it")).to_have_count(0)

    async def say(self, text: str) -> None:
        await self.page.locator("#text").fill(text)
        await self.page.locator("#text").press("Enter")

    async def is_accessible(self) -> None:
        results = await Axe().run(self.page)
        assert results.violations_count == 0, results.generate_report()

    def is_sound(self) -> None:
        """No error was thrown in the page."""
        assert self.errors == []


def change(database: Path, statement: str, *values: object) -> None:
    """Something that takes a day to happen, or that no customer can do."""
    with sqlite3.connect(database, timeout=30) as connection:
        connection.execute(statement, values)


def multiply(database: Path, session: str, times: int) -> None:
    """So many more sessions like this one, each of a contact of its own: as if that many people had written."""
    with sqlite3.connect(database, timeout=30) as connection:
        connection.row_factory = sqlite3.Row
        [found] = connection.execute("SELECT * FROM sessions WHERE id = ?", (session,)).fetchall()
        ids = {"contacts": found["contact_id"], "addresses": found["address_id"], "sessions": session}
        originals = {}
        for table, of in ids.items():
            query = f"SELECT * FROM {table} WHERE id = ?"  # noqa: S608 -- our tables
            originals[table] = dict(connection.execute(query, (of,)).fetchone())
        turns = list(map(dict, connection.execute("SELECT * FROM turns WHERE session_id = ?", (session,))))
        for number in range(times):
            new = {name: f"{of}-{number}" for name, of in ids.items()}
            changes = {"contact_id": new["contacts"], "address_id": new["addresses"], "session_id": new["sessions"]}
            changes["value"] = f"visita{number:05}"
            for table, row in (*originals.items(), *(("turns", turn) for turn in turns)):
                own = {"id": new[table]} if table in new else {}
                copied = {**row, **{name: value for name, value in {**changes, **own}.items() if name in row}}
                if "last_at" in copied:
                    copied["last_at"] -= number * 1000
                marks = ", ".join("?" for _ in copied)
                connection.execute(f"INSERT INTO {table} ({', '.join(copied)}) VALUES ({marks})", [*copied.values()])  # noqa: S608 -- our tables

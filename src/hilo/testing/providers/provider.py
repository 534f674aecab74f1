"""What the fake providers share: faults on demand, posting webhooks, the contacts' phones and a page that shows one."""

import asyncio
import random
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Literal, get_args

import httpx
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from hilo.channels.channel import Channel
from hilo.clock import Clock
from hilo.testing.loopback import CutOff, LoopbackServer

ATTEMPTS = 8  # of one webhook; real providers go on for days
FIRST_PAUSE = 0.05  # seconds; doubled after each attempt
AT_ONCE = 16  # webhooks on the wire; the client's pool looks at all that wait whenever one ends
OVERTAKEN = 0.15  # seconds that a webhook may be held back, so that later ones come first
OBELISCO = (-34.603738, -58.38157)  # a place to share in a trial

SendFault = Literal["throttled", "failing", "cut_before", "cut_after"]
SEND_FAULTS: tuple[SendFault, ...] = get_args(SendFault)


@dataclass(frozen=True, slots=True)
class Faults:
    """How often, from 0 to 1, what goes wrong at a provider; the same seed rolls the same dice."""

    copies: int = 1  # how often each webhook comes
    duplicates: float = 0  # a webhook comes once more
    reorder: float = 0  # a webhook comes after younger ones
    delay: float = 0  # an answer to a send takes `slow` seconds
    throttled: float = 0  # 429
    failing: float = 0  # 503
    cut_before: float = 0  # the connection is cut and the message was not taken
    cut_after: float = 0  # the message was taken and the connection is cut
    lost_reports: float = 0  # a delivery or seen report never comes
    reports_first: float = 0  # the report of a send comes before the answer to it
    slow: float = 0.2
    seed: int = 0


class Dice:
    """Decides which faults happen."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self._random = random.Random(faults.seed)  # noqa: S311 -- repeatable on purpose, no secret

    def happens(self, rate: float) -> bool:
        """Whether something with this rate happens now."""
        return self._random.random() < rate

    def held_back(self) -> float:
        """How many seconds a webhook waits while others overtake it."""
        return self._random.uniform(OVERTAKEN / 3, OVERTAKEN) if self.happens(self.faults.reorder) else 0

    def on_send(self) -> SendFault | None:
        """What goes wrong with a send, if anything."""
        for fault in SEND_FAULTS:
            if self.happens(getattr(self.faults, fault)):
                return fault
        return None


class Webhooks:
    """Posts to our webhook as a provider does: again until it is answered with 2xx, with faults on top."""

    def __init__(
        self,
        url: str,
        faults: Faults | None,
        *,
        headers: Callable[[bytes], Mapping[str, str]],
        answered: Callable[[httpx.Response], None] | None = None,
    ) -> None:
        self.url = url
        self.given_up: list[str] = []  # why a webhook was never taken
        self.dice = Dice(faults or Faults())
        self._headers = headers
        self._answered = answered
        self._client = httpx.AsyncClient(timeout=10, trust_env=False, verify=httpx.create_ssl_context())
        self._wire = asyncio.Semaphore(AT_ONCE)
        self._posts: set[asyncio.Task[None]] = set()

    def post(self, body: bytes) -> None:
        """Send a body on its way; `settle` waits for it."""
        copies = self.dice.faults.copies + self.dice.happens(self.dice.faults.duplicates)
        for _ in range(copies):
            task = asyncio.create_task(self._deliver(body, after=self.dice.held_back()))
            self._posts.add(task)
            task.add_done_callback(self._posts.discard)

    async def settle(self) -> None:
        """Wait until everything on its way has arrived or was given up."""
        while self._posts:
            await asyncio.gather(*self._posts)

    async def aclose(self) -> None:
        """Stop posting."""
        for task in tuple(self._posts):
            task.cancel()
        await asyncio.gather(*self._posts, return_exceptions=True)
        await self._client.aclose()

    async def _deliver(self, body: bytes, *, after: float) -> None:
        await asyncio.sleep(after)
        problem = ""
        for attempt in range(ATTEMPTS):
            problem = await self._problem(body)
            if not problem:
                return
            await asyncio.sleep(FIRST_PAUSE * 2**attempt)
        self.given_up.append(problem)

    async def _problem(self, body: bytes) -> str:
        try:
            async with self._wire:
                response = await self._client.post(self.url, content=body, headers=dict(self._headers(body)))
        except httpx.HTTPError as error:
            return f"{type(error).__name__}: {error}"
        if self._answered:
            self._answered(response)
        return "" if response.is_success else f"HTTP {response.status_code}"


@dataclass(frozen=True, slots=True)
class Choice:
    """A button or row that the contact can press."""

    payload: str
    title: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class SharedFile:
    """A file on a contact's phone."""

    kind: Literal["image", "document", "voice", "video"]
    content: bytes
    type: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Bubble:
    """One message as the contact's phone shows it; `id` is the one under which it came or went."""

    id: str
    contact: str
    side: Literal["contact", "business"]
    text: str
    choices: tuple[Choice, ...] = ()
    media: str = ""  # what kind of thing hangs on it, and where it lies
    status: Literal["", "sent", "delivered", "read"] = ""


@dataclass(slots=True)
class Chats:
    """The phones of all contacts: everything that was said, in order."""

    bubbles: list[Bubble] = field(default_factory=list)
    typing: set[str] = field(default_factory=set)

    def add(self, bubble: Bubble) -> None:
        """A message appears on a phone."""
        self.typing.discard(bubble.contact)
        self.bubbles.append(bubble)

    def mark(self, message_id: str, status: Literal["sent", "delivered", "read"]) -> None:
        """What became of a message of ours."""
        self.bubbles[:] = [replace(each, status=status) if each.id == message_id else each for each in self.bubbles]

    def of(self, contact: str) -> tuple[Bubble, ...]:
        """What one contact sees."""
        return tuple(each for each in self.bubbles if each.contact == contact)

    def offered(self, contact: str, payload: str) -> tuple[Bubble, Choice]:
        """The latest message to a contact that offers something to press, and what is pressed."""
        for bubble in reversed(self.of(contact)):
            for choice in bubble.choices:
                if choice.payload == payload:
                    return bubble, choice
        raise LookupError(f"no message offers {payload!r}")

    def said_to(self, contact: str) -> tuple[str, ...]:
        """The texts that our side sent to a contact."""
        return tuple(each.text for each in self.of(contact) if each.side == "business")


class FakeProvider(LoopbackServer):
    """What every provider has: the phones of its contacts, webhooks, and a server; use it with `async with`.

    Each says how what a contact does looks in its webhooks, and what it answers to our sends.
    """

    title: ClassVar[str]  # of the page with a contact's phone

    def __init__(self, webhooks: Webhooks, *, port: int) -> None:
        super().__init__(port=port)
        self.chats = Chats()
        self.ids_given = 0  # one that is started again must not give an id twice: it goes on from here
        self._webhooks = webhooks
        self._dice = webhooks.dice
        self.files: dict[str, SharedFile] = {}  # what contacts sent, as our side fetches it
        self.files_away = False  # whether no file is given out now
        self._reachable: set[str] = set()  # the contacts who wrote, and can be answered freely
        self._stack.push_async_callback(webhooks.aclose)

    @property
    def webhook_url(self) -> str:
        """Where all goes that we are told; it may be set once our own server is up."""
        return self._webhooks.url

    @webhook_url.setter
    def webhook_url(self, url: str) -> None:
        self._webhooks.url = url

    @property
    def faults(self) -> Faults:
        """What goes wrong from now on; it may be set."""
        return self._dice.faults

    @faults.setter
    def faults(self, faults: Faults) -> None:
        self._dice.faults = faults

    async def settle(self) -> None:
        """Wait until all webhooks on their way have arrived."""
        await self._webhooks.settle()

    @abstractmethod
    def channel(self, clock: Clock) -> Channel:
        """Our side, connected to this server."""

    # what a contact does; each returns the id of the message that was written

    @abstractmethod
    async def write(self, contact: str, text: str) -> str:
        """Write a text."""

    @abstractmethod
    async def press(self, contact: str, payload: str) -> str:
        """Press a button or choose a row; raises LookupError when it was not offered."""

    @abstractmethod
    async def share_place(self, contact: str, latitude: float, longitude: float) -> str:
        """Share a location."""

    @abstractmethod
    async def send_file(self, contact: str, file: SharedFile, caption: str = "") -> str:
        """Send a picture, a voice note, a video or a document."""

    def _keep(self, file: SharedFile) -> str:
        """The id under which our side can fetch it."""
        file_id = f"{len(self.files) + 1:016}"
        self.files[file_id] = file
        return file_id

    async def see(self, contact: str) -> None:
        """Look at what has come: providers that tell of it report it as read."""
        for bubble in self.chats.of(number_of(contact)):
            if bubble.status == "delivered":
                self.chats.mark(bubble.id, "read")
                self._report_read(bubble)

    def _report_read(self, bubble: Bubble) -> None:
        """Nobody is told, where the provider has no such report."""

    async def _show_written(self, message_id: str, contact: str, text: str, media: str) -> None:
        """The contact's own words appear; whoever writes has seen what came before, and can be answered."""
        await self.see(contact)
        self._reachable.add(contact)
        self.chats.add(Bubble(message_id, contact, "contact", text, media=media))

    def _next_id(self) -> int:
        self.ids_given += 1
        return self.ids_given

    # what our side sends

    @abstractmethod
    def _api_routes(self) -> list[Route]:
        """Its API."""

    @abstractmethod
    def _refuse(self, *, throttled: bool) -> Response:
        """How it says that it cannot take a send now."""

    @abstractmethod
    def _unauthorised(self, request: Request) -> Response | None:
        """How it turns away whoever does not have our key."""

    def _route(
        self, path: str, answer: Callable[[Request], Awaitable[Response]], method: Literal["POST", "GET"] = "POST"
    ) -> Route:
        """A part of its API, which may be slow."""

        async def endpoint(request: Request) -> Response:
            if self._dice.happens(self._dice.faults.delay):
                await asyncio.sleep(self._dice.faults.slow)
            return self._unauthorised(request) or await answer(request)

        return Route(path, endpoint, methods=[method])

    async def _give_out(self, request: Request) -> Response:
        """The bytes of a file."""
        file = self.files.get(request.path_params["file"])
        if self.files_away:
            return self._refuse(throttled=False)
        return Response(file.content, media_type=file.type) if file else Response(status_code=404)

    async def _answer_send(self, take: Callable[[], Response]) -> Response:
        """Take a send, unless the dice want something to go wrong with it."""
        fault = self._dice.on_send()
        match fault:
            case "cut_before":
                return CutOff()
            case "throttled" | "failing":
                return self._refuse(throttled=fault == "throttled")
        answer = take()
        if answer.status_code >= 400:  # noqa: PLR2004 -- HTTP's own
            return answer
        rate = self._dice.faults.reports_first
        if rate and self._dice.happens(rate):
            await self.settle()
        return CutOff() if fault == "cut_after" else answer

    def _report(self, body: bytes) -> None:
        """Tell what became of a send, unless that gets lost."""
        if not self._dice.happens(self._dice.faults.lost_reports):
            self._webhooks.post(body)

    # a page on which a person writes as a contact and sees, as on a phone, what our side sent

    def _routes(self) -> list[Route]:
        chat = "/chats/{contact}"
        page = [Route("/", self._page), Route(chat, self._chat), Route(chat, self._act, methods=["POST"])]
        return [*self._api_routes(), *page]

    async def _page(self, _: Request) -> Response:
        return HTMLResponse(_page().replace("{title}", self.title))

    async def _chat(self, request: Request) -> Response:
        contact = number_of(request.path_params["contact"])
        await self.see(contact)
        bubbles = [asdict(each) for each in self.chats.of(contact)]
        return JSONResponse({"bubbles": bubbles, "typing": contact in self.chats.typing})

    async def _act(self, request: Request) -> Response:
        contact = number_of(request.path_params["contact"])
        try:
            return JSONResponse({"id": await self._do(contact, await request.json())})
        except (LookupError, ValueError) as problem:
            return JSONResponse({"error": str(problem)}, status_code=400)

    async def _do(self, contact: str, wish: Any) -> str:
        match wish:
            case {"text": str(text)} if text.strip():
                return await self.write(contact, text)
            case {"press": str(payload)}:
                return await self.press(contact, payload)
            case {"place": True}:
                return await self.share_place(contact, *OBELISCO)
        raise ValueError("nothing to write")


def number_of(contact: str) -> str:
    """A phone may be typed as people write it."""
    return contact.removeprefix("+").replace(" ", "")


def shown_place(latitude: float, longitude: float) -> str:
    """A place as a phone shows it."""
    return f"📍 {latitude:.5f}, {longitude:.5f}"


@cache
def _page() -> str:
    return files("hilo.testing.providers").joinpath("page.html").read_text(encoding="utf-8")

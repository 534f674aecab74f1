"""Where a request of a tool may go: public addresses, checked on the very address that is connected to."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from hilo.tools.tool import ToolFailed

LOOK_UP_SECONDS = 5.0
_PORTS = {"https": 443, "http": 80}
_NOT_PUBLIC = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",  # carrier-grade NAT; a cloud's metadata too
            "127.0.0.0/8",
            "168.63.129.16/32",  # a cloud's metadata on a public address
            "169.254.0.0/16",  # link-local; metadata
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",  # multicast, reserved, broadcast
            "2001::/23",  # Teredo and other special uses
            "2001:db8::/32",
            "2002::/16",  # 6to4: carries an IPv4 address
            "3fff::/20",
        ),
    )
)
_GLOBAL_UNICAST = ip_network("2000::/3")  # all else of IPv6 is local, mapped, translated or reserved
_AT_HOME = tuple(
    map(ip_network, ("10.0.0.0/8", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7"))
)
_METADATA = ip_address("fd00:ec2::254")

LookUp = Callable[[str, int], Awaitable[Sequence[str]]]


async def look_up(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, by the system's resolver."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(each[4][0]) for each in found]


@dataclass(frozen=True, slots=True)
class Network:
    """What tools can reach: what is public, and the private hosts (`erp.local:8080`) that the operator lists."""

    private_hosts: tuple[str, ...] = ()
    look_up: LookUp = look_up

    async def address(self, scheme: str, host: str, port: int | None) -> str:
        """The address to connect to; raises ToolFailed where nothing may be sent to this host."""
        private = self._is_private(scheme, host, port)
        if scheme != "https" and not private:
            named = f"{host}:{port}" if port else host
            raise ToolFailed(f"{scheme} to {host} is refused: use https, or list {named} in HILO_PRIVATE_HOSTS")
        found = await self._found(host, port or _PORTS.get(scheme, 0))
        for address in found:
            if not (is_public(address) or (private and is_at_home(address))):
                raise ToolFailed(f"{host} is refused: its address is not a public one")
        return found[0]

    def _is_private(self, scheme: str, host: str, port: int | None) -> bool:
        listed = {each.lower() for each in self.private_hosts}
        shown = f"[{host}]" if ":" in host else host
        usual = port is None or port == _PORTS.get(scheme)
        return f"{shown}:{port or _PORTS.get(scheme)}".lower() in listed or (usual and shown.lower() in listed)

    async def _found(self, host: str, port: int) -> Sequence[str]:
        try:
            async with asyncio.timeout(LOOK_UP_SECONDS):
                found = await self.look_up(host, port)
        except (OSError, UnicodeError):  # a time-out is an OSError
            found = ()
        if not found:
            raise ToolFailed(f"the host {host} has no address")
        return found


def is_public(address: str) -> bool:
    """Whether anyone on the Internet could be meant by it."""
    read = _read(address)
    if read is None or (isinstance(read, IPv6Address) and read not in _GLOBAL_UNICAST):
        return False
    return not any(read in network for network in _NOT_PUBLIC)


def is_at_home(address: str) -> bool:
    """Whether it is this machine or its private network; never link-local, where clouds keep their metadata."""
    read = _read(address)
    return read is not None and read != _METADATA and any(read in network for network in _AT_HOME)


def _read(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address)
    except ValueError:
        return None

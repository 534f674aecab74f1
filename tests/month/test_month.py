"""A small month; `python -m bench.month` is the big one."""

import sys

import pytest

from depth import depth
from month.month import Size, live_through

SMALL = Size(contacts=depth(80, 150), kills=0.04, seed="small")


def test_nothing_is_lost_doubled_skipped_or_said_at_a_wrong_time_in_a_month(
    capsys: pytest.CaptureFixture[str],
) -> None:
    month = live_through(SMALL)
    with capsys.disabled():
        sys.stderr.write("\n" + "\n".join(month.lines()) + "\n")
    assert month.wrong == []
    counts = month.counts
    assert counts["contacts"] == SMALL.contacts
    assert counts["kills in the middle of work"] > 10
    assert counts["timers fired"] > 100
    assert counts["timers fired late, after an outage"]
    assert counts["sent outside of the window, approved"]
    assert counts["purchases confirmed"]
    assert all(counts[f"reached {mode}"] for mode in ("ofrecer_promos", "resumen", "compra_confirmada", "humano"))

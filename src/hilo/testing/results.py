"""How conversations went, for programs: JSON, and the JUnit XML that CI servers read."""

import re
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

from hilo.testing.play import Played
from hilo.testing.suite import Report

_UNFIT = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # for XML 1.0


def as_json(reports: Sequence[Report]) -> list[dict[str, Any]]:
    """One entry for each agent, with every conversation and why it failed."""
    return [
        {
            "agent": report.agent,
            "passed": report.passed,
            "failed": report.failed,
            "seconds": round(report.seconds, 3),
            "problem": report.problem,
            "conversations": [_conversation(played) for played in report.played],
            "broken": [{"file": str(each.file), "problem": each.problem} for each in report.broken],
            "coverage": {each.kind: each.percent for each in report.covered if each.known},
        }
        for report in reports
    ]


def _conversation(played: Played) -> dict[str, Any]:
    return {
        "title": played.title,
        "place": played.place,
        "passed": played.passed,
        "differences": list(played.differences),
        "transcript": [{"who": entry.who, "text": entry.text} for entry in played.transcript],
    }


def as_junit(reports: Sequence[Report]) -> str:
    """A suite for each agent, a case for each conversation."""
    root = ET.Element("testsuites")
    for report in reports:
        counts = {"tests": report.passed + report.failed, "failures": report.failed}
        suite = ET.SubElement(root, "testsuite", name=report.agent, time=f"{report.seconds:.3f}")
        suite.attrib.update({name: str(number) for name, number in counts.items()})
        for played in report.played:
            _add_case(
                suite, report, played.title, "\n".join((played.place, *played.differences)), failed=not played.passed
            )
        for broken in report.broken:
            _add_case(suite, report, str(broken.file), broken.problem or report.problem, failed=True)
        if report.problem and not report.broken:
            _add_case(suite, report, report.agent, report.problem, failed=True)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True)


def _add_case(suite: ET.Element, report: Report, name: str, problem: str, *, failed: bool) -> None:
    case = ET.SubElement(suite, "testcase", classname=_fit(report.agent), name=_fit(name))
    if failed:
        failure = ET.SubElement(case, "failure", message=_fit(problem.partition("\n")[2] or problem))
        failure.text = _fit(problem)


def _fit(text: str) -> str:
    """What XML cannot say is left out."""
    return _UNFIT.sub("", text)

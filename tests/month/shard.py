"""One part of the people lives through the month and is judged: `python -m month.shard JOB`, a verdict as JSON out."""

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from hilo.app.loading import load_agent
from month.case import open_case
from month.drive import Shard
from month.judge import judge
from month.people import crowd
from month.worker import Place


@dataclass(frozen=True, slots=True)
class Job:
    """Which people, with which agent, and how often the process dies: on average once in so many steps."""

    folder: str
    agent: str
    seed: str
    first: int
    last: int
    kills: float


def main() -> None:
    job = Job(**json.loads(sys.argv[1]))
    place = Place(Path(job.folder), Path(job.agent))
    began = time.perf_counter()
    people = crowd(job.seed, range(job.first, job.last))
    shard = Shard(place, people, Random(f"{job.seed} {job.first}"), job.kills)  # noqa: S311 -- a game
    story = shard.run()
    driven = time.perf_counter()
    verdict = judge(open_case(load_agent(place.agent).agent, story, shard.tail.copies))
    assert story.end is not None
    report = {**vars(verdict), "seconds": driven - began, "judged": time.perf_counter() - driven}
    sys.stdout.write(json.dumps({**report, "end": story.end.isoformat()}, default=str))


if __name__ == "__main__":
    main()

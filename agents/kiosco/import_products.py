"""Import products into the shop of a workspace: python agents/kiosco/import_products.py products.csv --workspace main.

The database is that of HILO_DATABASE_URL. Every line is checked before anything is written.
"""

import asyncio
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click
from kiosco_shop import import_products
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from hilo import errors, load_agent, open_database


async def bring(file: Path, workspace: str, console: Console) -> int:
    """Import a file, with a bar that shows how far it is."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    async with open_database(load_agent(Path(__file__).parent), workspace=workspace) as database:
        with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
            task = bar.add_task(file.name, total=None)
            progress = partial(_move, bar, task)
            return await import_products(database, file, now=datetime.now(UTC), progress=progress)


def _move(bar: Progress, task: TaskID, done: int, total: int) -> None:
    bar.update(task, completed=done, total=total)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--workspace", default="main", show_default=True, help="Whose shop it is.")
def main(file: Path, workspace: str) -> None:
    """Import the products of a CSV FILE."""
    console = Console(stderr=True)
    try:
        written = asyncio.run(bring(file, workspace, console))
    except errors.HiloError as error:
        console.print(str(error), style="red", markup=False, highlight=False, soft_wrap=True)
        sys.exit(1)
    click.echo(
        f"{written} product{'s' * (written != 1)} imported"
        if written
        else "nothing to do: this file was the last one imported"
    )


if __name__ == "__main__":
    main()

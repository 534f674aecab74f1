"""`python -m hilo` is `hilo`."""

from hilo.cli import main

main()

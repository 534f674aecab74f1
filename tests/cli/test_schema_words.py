"""Every key of an agent file has words for editors, and no words are about keys that are gone."""

from hilo.cli.schema import described_schema, words


def test_every_key_is_described_and_no_other() -> None:
    schema = described_schema()
    shapes = {"Agent": schema, **schema["$defs"]}
    keys = {
        f"{name}.{key}": what for name, shape in shapes.items() for key, what in shape.get("properties", {}).items()
    }
    assert [key for key, what in keys.items() if not what.get("description")] == []
    shared = {key.partition(".")[2] for key in keys}
    stale = [key for key in words() if key not in keys and not (key.startswith("*.") and key[2:] in shared)]
    assert stale == []

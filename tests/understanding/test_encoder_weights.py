"""The encoder's weights, mapped from where they lie unpacked: the same vectors, sooner."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hilo.understanding.intents.encoder import load_encoder

if load_encoder() is None:
    pytest.skip("the encoder is not installed", allow_module_level=True)

# A process of its own: one that has the weights keeps them.
ENCODE = """
import sys
from pathlib import Path
import numpy as np
from hilo.understanding.intents import encoder
encoder.map_weights_from(Path(sys.argv[1]))
np.save(sys.argv[2], encoder.load_encoder().encode(["quiero dos medias", "¿a qué hora abren?"]))
weights = encoder._layers().weights
is_read = not isinstance(weights.table, np.ndarray)
is_mapped = not any(each.flags.writeable for each in (weights.to_inner, *weights.second))
print("mapped" if is_read and is_mapped else "unpacked")
"""


def encoded(folder: Path, out: Path) -> tuple[str, np.ndarray]:
    command = [sys.executable, "-c", ENCODE, str(folder), str(out)]
    table = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603
    return table, np.load(out)


def test_mapped_weights_give_the_same_vectors_as_unpacked_ones(tmp_path: Path) -> None:
    encoder = load_encoder()
    assert encoder is not None
    expected = encoder.encode(["quiero dos medias", "¿a qué hora abren?"])
    first, then = encoded(tmp_path / "kept", tmp_path / "1.npy"), encoded(tmp_path / "kept", tmp_path / "2.npy")
    assert first[0] == then[0] == "mapped"
    assert np.array_equal(first[1], expected)
    assert np.array_equal(then[1], expected)
    assert len(list((tmp_path / "kept").iterdir())) == 1, "nothing is left over"


def test_a_folder_that_cannot_be_used_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("no folder")
    table, vectors = encoded(tmp_path / "kept", tmp_path / "1.npy")
    assert table == "unpacked"
    assert vectors.shape == (2, 512)


def test_half_a_file_is_not_believed(tmp_path: Path) -> None:
    encoded(tmp_path / "kept", tmp_path / "1.npy")
    [place] = (tmp_path / "kept").iterdir()
    (place / "table.npy").write_bytes((place / "table.npy").read_bytes()[:1000])
    assert encoded(tmp_path / "kept", tmp_path / "2.npy")[0] == "unpacked"

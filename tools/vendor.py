"""Copies the JavaScript that the panel uses out of npm packages, with licences and checksums.

npm install --no-save preact@11.2.0 htm@3.1.1 @preact/signals@2.11.4   # in an empty folder
python tools/vendor.py THAT_FOLDER/node_modules

One thing is changed: browsers do not know names of packages, so `from"preact"` becomes `from"./preact.js"`. A map of
imports would have to stand in the page itself, which the content security policy forbids.
"""

import hashlib
import json
import re
import sys
from pathlib import Path

VENDOR = Path(__file__).parents[1] / "src" / "hilo" / "server" / "static" / "vendor"
SOURCES = {
    "preact": ("preact", "dist/preact.mjs", "preact.js"),
    "preact/hooks": ("preact", "hooks/dist/hooks.mjs", "hooks.js"),
    "htm": ("htm", "dist/htm.mjs", "htm.js"),
    "@preact/signals-core": ("@preact/signals-core", "dist/signals-core.mjs", "signals-core.js"),
    "@preact/signals": ("@preact/signals", "dist/signals.mjs", "signals.js"),
}
_FROM = re.compile(r'(?<=from)"([^".]+)"')
_MAP = re.compile(r"\n?//# sourceMappingURL=\S+\s*$")


def with_relative_imports(script: str) -> str:
    """The same module, importing files of this folder; without a source map, which is not kept."""
    return _FROM.sub(lambda found: f'"./{SOURCES[found[1]][2]}"', _MAP.sub("\n", script))


def copy(packages: Path) -> None:
    """Write every file, its package's licence and one list of checksums."""
    VENDOR.mkdir(exist_ok=True)
    listed = {}
    for package, path, name in SOURCES.values():
        original = (packages / package / path).read_bytes()
        content = with_relative_imports(original.decode()).encode()
        licence = f"LICENSE.{package.replace('@', '').replace('/', '-')}.txt"
        (VENDOR / name).write_bytes(content)
        (VENDOR / licence).write_bytes((packages / package / "LICENSE").read_bytes())
        listed[name] = {
            "package": package,
            "version": json.loads((packages / package / "package.json").read_text())["version"],
            "path": path,
            "original_sha256": hashlib.sha256(original).hexdigest(),
            "sha256": hashlib.sha256(content).hexdigest(),
            "licence": licence,
        }
    (VENDOR / "checksums.json").write_text(json.dumps(listed, indent=2) + "\n")


if __name__ == "__main__":
    copy(Path(sys.argv[1]))

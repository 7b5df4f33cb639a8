#!/usr/bin/env python3
"""Build the wheel of the Python package: tools/wheel.py LIBRARY FOLDER.

The wheel carries the modules of python/pkm, the public headers (from which cffi takes its declarations) and the shared
library. It needs the libraries that libpkm was linked with (OpenBLAS, libfyaml, SUNDIALS, SQLite) on the machine.
"""

import base64
import hashlib
import re
import sys
import sysconfig
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIME = (2000, 1, 1, 0, 0, 0)  # the same bytes from the same sources


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(pkm VERSION ([\d.]+)", text, flags=re.M).group(1)


def files(library):
    """(name in the wheel, bytes) of everything but the metadata."""
    for path in sorted((ROOT / "python/pkm").glob("*")):
        if path.suffix in (".py", ".typed"):
            yield f"pkm/{path.name}", path.read_bytes()
    for path in sorted((ROOT / "include/pkm").glob("*.h")):
        yield f"pkm/include/{path.name}", path.read_bytes()
    yield "pkm/libpkm.so.1", Path(library).resolve().read_bytes()


def metadata(tag):
    yield "METADATA", (f"Metadata-Version: 2.1\nName: pkm\nVersion: {version()}\nSummary: Dynamics of parallel robots\n"
                       "License: MIT\nRequires-Python: >=3.9\nRequires-Dist: cffi\nRequires-Dist: numpy\n").encode()
    yield "WHEEL", f"Wheel-Version: 1.0\nGenerator: tools/wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    yield "LICENSE", (ROOT / "LICENSE").read_bytes()


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: tools/wheel.py LIBRARY FOLDER")
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"py3-none-{platform}"
    info = f"pkm-{version()}.dist-info"
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"pkm-{version()}-{tag}.whl"
    content = list(files(sys.argv[1])) + [(f"{info}/{name}", data) for name, data in metadata(tag)]
    record = "".join(record_line(name, data) for name, data in content) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in content + [(f"{info}/RECORD", record.encode())]:
            wheel.writestr(zipfile.ZipInfo(name, TIME), data, zipfile.ZIP_DEFLATED)
    print(target)


if __name__ == "__main__":
    main()

"""What the core library asks of the world: files, processes and memory that outlives a call are the business of a few sources."""

import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ["PKM"]).parent

# What asks the system for more than memory and numbers.
WORLD = re.compile(r"#include <(?:fcntl|unistd|dirent|dlfcn|signal|spawn|locale|time|sys/\w+)\.h>|"
                   r"(?<![\w>.])(?:fopen|open|fork|pipe|waitpid|getenv|setenv|dlopen|mkdir|opendir|system|popen)\(")

# Sources of the core that do, and what for.
ALLOWED = {
    "src/base/clock.c",  # wall times
    "src/base/crc32.c", "src/base/sha256.c",  # the sum of a file
    "src/base/isolate.c",  # a process for each .h5 file, which libhdf5 may crash on
    "src/model/h5.c",  # libhdf5, loaded in that process
    "src/model/source.c",  # pkm_robot_load, pkm_run_read and the files that they name
}

# Memory that outlives calls.
LASTING = {
    "alloc_count", "fail_at",  # tests count allocations and let them fail
    "library",  # the functions of libhdf5, of the process that reads a file
    "n_begun", "n_thread_before", "turn",  # threads of OpenBLAS, which are one number of the process (math/lapack.h)
}


def sources():
    """Those of pkm-core, as CMakeLists.txt chooses them."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    beyond = re.search(r'PKM_MORE_FOLDERS "/src/\(([\w|]+)\)/"', text)[1].split("|")
    return [path for path in sorted((ROOT / "src").rglob("*.c")) if path.parent.name not in [*beyond, "cli"]]


class Core(unittest.TestCase):
    def test_files_and_processes_are_asked_for_in_a_few_sources(self):
        code = {path: re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8")) for path in sources()}
        self.assertGreater(len(code), 300)
        self.assertEqual({str(path.relative_to(ROOT)) for path, text in code.items() if WORLD.search(text)}, ALLOWED)

    def test_an_fmu_has_the_core_without_them(self):
        without = re.search(r'PKM_FMU_WITHOUT "([^"]*)"', (ROOT / "cmake/fmu.cmake").read_text(encoding="utf-8"))[1]
        for name in ("source", "h5", "isolate"):
            self.assertRegex(without, rf"\b{name}\b")

    @unittest.skipUnless((BUILD / "libpkm-core.so").exists(), "static libraries")
    def test_nothing_else_is_remembered_between_calls(self):
        out = subprocess.run(["objdump", "-t", BUILD / "libpkm-core.so"], capture_output=True, text=True, check=True).stdout
        found = re.findall(r" O \.(?:data|bss)\s+[0-9a-f]{16}\s+(?:\.hidden )?(\S+)", out)
        self.assertEqual({name for name in found if not name.startswith(("completed", "__"))}, LASTING)


if __name__ == "__main__":
    unittest.main()

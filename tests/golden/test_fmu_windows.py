"""The FMU's library for Windows, run by a master under wine where `make windows` has made it: the same numbers."""

import os
import shutil
import subprocess
import sys
import unittest

from program import ROOT, is_sanitized
from test_fmu import FREE, SIAX, Fmus

MASTER = ROOT / "build/windows/master.exe"
WINE = next((w for w in ("wine64", "/usr/lib/wine/wine64", "wine") if shutil.which(w)), None)


class TestWindows(Fmus):
    def wine(self, *arguments):
        environment = dict(os.environ, WINEPREFIX=str(self.folder / "prefix"), WINEDEBUG="-all", DISPLAY="",
                           WINEDLLOVERRIDES="mscoree,mshtml=")
        done = subprocess.run([WINE, *map(str, arguments)], capture_output=True, text=True, timeout=240, check=False,
                              env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_rigid_robot_in_steps(self):
        fmu = self.export(SIAX, "--run", self.write("r.yaml", FREE))
        library = fmu.folder / "binaries/win64/siax.dll"
        self.assertTrue(library.is_file(), "make build after make windows carries the DLL along")
        names = ["qA.q", "qB.v", "qC.a", "P.z", "energy.kinetic", "work.load"]
        text = self.wine(MASTER, library, fmu.token, 0.05, 0.01, *[fmu.reference(n) for n in names])
        rows = [[float(x) for x in line.split(",")] for line in text.splitlines()]
        ours = {n: [r[i + 1] for r in rows] for i, n in enumerate(names)}
        self.assert_agrees(ours, self.table(SIAX, FREE, "--instants", 6), 1e-9)

    def test_the_library_needs_windows_alone(self):
        fmu = self.export(SIAX)
        headers = subprocess.run(["x86_64-w64-mingw32-objdump", "-p", fmu.folder / "binaries/win64/siax.dll"],
                                 capture_output=True, text=True, check=True).stdout
        needed = {line.split()[-1].lower() for line in headers.splitlines() if "DLL Name" in line}
        self.assertLessEqual(needed, {"kernel32.dll", "msvcrt.dll"})


if __name__ == "__main__":
    if not MASTER.is_file() or not WINE or is_sanitized():
        print("the library for Windows was not built (make windows), or there is no wine: nothing was run")
        sys.exit(77)
    unittest.main()

"""`pkm export fmu --sources`: what is inside the file compiles with a plain compiler, file by file, without include
directories or macros, and the library that comes out gives the numbers of the binary that goes along."""

import pathlib
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor

from program import ROOT, is_sanitized
from test_fmu import SIAX, Fmi3, Fmus

CC = shutil.which("cc")
# BDF, by which friction that rests is integrated, is SUNDIALS' CVODE; the flexible rods take dense algebra.
RUN = ("run: 1\nfor: 6 ms\nfriction: {spherical: {static: 0.11, dynamic: 0.084, radius: 10 mm}}\n"
       "flexible: {'*.left': {modes: 1}}\n")


def listed(fmu):
    """The files that the FMU asks to compile."""
    if fmu.version == "2.0":
        return [f.get("name") for f in fmu.kinds["CoSimulation"].find("SourceFiles")]
    root = ET.parse(fmu.folder / "sources/buildDescription.xml").getroot()
    assert root.tag == "fmiBuildDescription" and root.get("fmiVersion") == "3.0"
    build = root.find("BuildConfiguration")
    assert build.get("modelIdentifier") == fmu.name
    return [f.get("name") for f in build.find("SourceFileSet").findall("SourceFile")]


class TestSources(Fmus):
    def compile(self, sources, name, folder, *more):
        out = folder / (name.replace("/", "+") + ".o")
        done = subprocess.run([CC, "-c", "-fPIC", *more, name, "-o", out], cwd=sources, capture_output=True, text=True,
                              check=False, timeout=120)
        self.assertEqual(done.returncode, 0, f"{name}: {done.stderr[:2000]}")
        return out

    def link(self, fmu, objects):
        library = fmu.folder / "compiled.so"
        done = subprocess.run([CC, "-shared", "-Wl,--no-undefined", *objects, "-lm", "-o", library], capture_output=True,
                              text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr[:2000])
        return library

    def build(self, fmu, known=()):
        """The library from the sources. Objects of `known`, (sources, objects) of another FMU, serve for equal files."""
        sources, objects = fmu.folder / "sources", fmu.folder / "objects"
        objects.mkdir()
        define = f"-DFMI{fmu.version[0]}_OVERRIDE_FUNCTION_PREFIX"
        names = listed(fmu)
        self.assertEqual(len(names), len(set(names)))
        self.assertGreater(len(names), 200)
        there = {str(p.relative_to(sources)) for p in sources.rglob("*.c")}
        self.assertEqual(there, set(names))

        def one(name):
            if known and not name.startswith("fmu/"):
                self.assertEqual((sources / name).read_bytes(), (known[0] / name).read_bytes())
                return known[1] / (name.replace("/", "+") + ".o")
            return self.compile(sources, name, objects, define)

        with ThreadPoolExecutor(2) as pool:
            return self.link(fmu, list(pool.map(one, names))), (sources, objects)

    def rows(self, fmu, outputs):
        """Six steps of 1 ms, by the master of the version."""
        if fmu.version == "2.0":
            return self.master("cs", fmu, 0.006, 0.001, outputs=outputs)
        m = Fmi3(fmu)
        m.begin(0.006)
        table = {name: [m.get(name)] for name in outputs}
        for k in range(6):
            m.step(0.001 * k, 0.001)
            for name in outputs:
                table[name].append(m.get(name))
        m.dll.fmi3FreeInstance(m.c)
        return table

    def check_numbers(self, fmu, built, outputs):
        binary = self.rows(fmu, outputs)
        self.assertGreater(max(map(abs, binary["P.z"])), 0.1)
        self.assertGreater(abs(binary["loss.friction"][-1]), 1e-4)
        self.assertNotEqual(fmu.library, built)
        fmu.library = built
        self.assert_agrees(self.rows(fmu, outputs), binary, 1e-9)

    def test_compiled_as_it_is_it_gives_the_numbers_of_the_binary(self):
        self.write("r.yaml", RUN)
        fmu = self.export(SIAX, "--run", "r.yaml", "--sources")
        names = [v.get("name") for v in fmu.of("output")]
        self.assertIn("loss.friction", names)
        outputs = [n for n in names if n in ("qA.q", "qB.v", "P.z", "energy.kinetic", "loss.friction", "A.left.deflection")]
        built, known = self.build(fmu)
        self.check_numbers(fmu, built, outputs)
        third = self.export(SIAX, "--run", "r.yaml", "--sources", "--fmi", "3", name="third.fmu")
        built, _ = self.build(third, known)
        self.check_numbers(third, built, outputs)

    def test_linked_statically_functions_bear_the_name_of_the_model(self):
        for version in ("2", "3"):
            fmu = self.export(SIAX, "--sources", "--fmi", version, name=f"s{version}.fmu")
            out = self.compile(fmu.folder / "sources", f"fmu/fmi{version}.c", fmu.folder)
            names = subprocess.run(["nm", "-g", "--defined-only", out], capture_output=True, text=True, check=True).stdout
            defined = [line.split()[-1] for line in names.splitlines()]
            self.assertIn(f"siax_fmi{version}DoStep", defined)
            self.assertTrue(all(name.startswith(f"siax_fmi{version}") for name in defined), defined)

    def test_they_are_permissively_licensed_and_tell_nothing_of_the_builder(self):
        fmu = self.export(SIAX, "--sources")
        self.assertIn("documentation/licenses/sundials.txt", fmu.archive.namelist())
        for name in fmu.archive.namelist():
            text = fmu.archive.read(name)
            self.assertFalse(str(ROOT).encode() in text, name)
            if name.startswith("sources/"):
                self.assertFalse(b"General Public License" in text, name)
        own = {p.name for f in ("src", "fmu", "include", "cmake/sundials") for p in (ROOT / f).rglob("*.[ch]")}
        foreign = [n for n in fmu.archive.namelist() if n.startswith("sources/") and pathlib.Path(n).name not in own]
        for name in foreign:
            if name not in ("sources/fmu/config.h",):
                self.assertIn(b"SPDX-License-Identifier: BSD-3-Clause", fmu.archive.read(name), name)


if __name__ == "__main__":
    if not CC or is_sanitized() or not (ROOT / "build/sources/.done").is_file():
        print("no compiler, or the sources of SUNDIALS are not at hand (tools/sources.sh): nothing was run")
        sys.exit(77)
    unittest.main()

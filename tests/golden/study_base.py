"""What the tests of studies share."""

import csv
import sqlite3
import struct

from program import ROOT, Program

HEAD = f"""study: 1
robot: {ROOT}/robots/siax.yaml
"""


class Study(Program):
    def study(self, text, *arguments, name="s", code=0):
        """Run a study with this text; its folder."""
        path = self.folder / f"{name}.yaml"
        path.write_text(text)
        done = self.pkm("study", str(path), "-o", str(self.folder / name), *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr, r"^pkm: \d+ of \d+ cases of \S+ failed\n$" if code == 4 else "^$")
        return self.folder / name

    def content(self, folder):
        """All that is compared: every row of every table but `timing`, bit for bit."""
        db = sqlite3.connect(folder / "study.sqlite")
        tables = [row[0] for row in db.execute("select name from sqlite_master where type = 'table' order by name")]
        out = {}
        for table in tables:
            if table == "timing":
                continue
            rows = db.execute(f"select * from {table}").fetchall()
            # Doubles by their bits, so that -0.0 and 0.0 differ.
            out[table] = sorted(
                (repr(tuple(struct.pack("<d", x) if isinstance(x, float) else x for x in row)) for row in rows))
        db.close()
        return out

    def rows(self, folder, file):
        with open(folder / file, newline="") as f:
            return list(csv.DictReader(f))

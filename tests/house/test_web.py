"""The packages of the report's page: pinned, named without a registry, installed once."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LOCK = ROOT / "web/package-lock.json"


class Web(unittest.TestCase):
    def test_versions_are_exact_and_the_lock_names_no_registry(self):
        package = json.loads((ROOT / "web/package.json").read_text())
        lock = LOCK.read_text()
        for name, version in {**package["dependencies"], **package["devDependencies"]}.items():
            self.assertRegex(version, r"^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$")
            self.assertEqual(json.loads(lock)["packages"][f"node_modules/{name}"]["version"], version)
        self.assertNotIn('"resolved"', lock)
        hosts = {host for host in re.findall(r"https?://([^/\"]+)", lock)}
        self.assertEqual(hosts - {"opencollective.com", "github.com"}, set())
        for path, entry in json.loads(lock)["packages"].items():
            if path:
                self.assertIn("integrity", entry, path)

    def test_npm_runs_only_when_the_lock_has_changed(self):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        (folder / "tools").mkdir()
        (folder / "web").mkdir()
        (folder / "bin").mkdir()
        shutil.copy(ROOT / "tools/web.sh", folder / "tools")
        (folder / "web/package-lock.json").write_text("{}")
        npm = folder / "bin/npm"
        npm.write_text('#!/bin/bash\nmkdir -p node_modules\necho "npm $*" >>../log\n')
        npm.chmod(0o755)

        def runs():
            subprocess.run(["bash", folder / "tools/web.sh"], check=True,
                           env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"})
            log = folder / "log"
            return log.read_text().count("npm ci") if log.exists() else 0

        self.assertEqual([runs(), runs()], [1, 1])
        (folder / "web/package-lock.json").write_text('{"changed": 1}')
        self.assertEqual([runs(), runs()], [2, 2])


if __name__ == "__main__":
    unittest.main()

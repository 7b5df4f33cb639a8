"""tools/setup.sh on systems that are made up: it asks, installs only what is missing, and says why not."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Setup(unittest.TestCase):
    """Runs setup.sh with a PATH that holds only the commands a test gives it."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.log = self.folder / "log"
        self.log.write_text("")
        for name in ("bash", "env", "mktemp", "rm", "cat"):
            (self.folder / name).symlink_to(shutil.which(name))

    def command(self, name, script):
        path = self.folder / name
        path.write_text(f'#!/bin/bash\n{script}\n')
        path.chmod(0o755)

    def system(self, missing=(), user=0, sudo=False, apt_status=0):
        """A Debian on which all packages but `missing` are installed."""
        absent = "|".join(missing) or "none-at-all"
        self.command("dpkg-query", f'case "${{@: -1}}" in {absent}) exit 1;; esac; echo installed')
        self.command("apt-get", f'echo "apt-get $*" >>{self.log}; exit {apt_status}')
        self.command("id", f"echo {user}")
        if sudo:
            self.command("sudo", f'echo "sudo" >>{self.log}; exec "$@"')

    def run_setup(self, *arguments, **environment):
        result = subprocess.run(
            [shutil.which("bash"), str(ROOT / "tools/setup.sh"), *arguments],
            env={"PATH": str(self.folder), **environment}, capture_output=True, text=True)
        return result, self.log.read_text().splitlines()

    def test_nothing_missing_runs_no_apt_and_says_nothing(self):
        self.system(user=1000)
        result, log = self.run_setup()
        self.assertEqual((result.returncode, result.stdout, result.stderr, log), (0, "", "", []))

    def test_only_what_is_missing_is_installed(self):
        self.system(missing=("cmake", "libfyaml-dev"))
        result, log = self.run_setup()
        self.assertEqual(result.returncode, 0)
        self.assertIn("installing cmake libfyaml-dev", result.stdout)
        self.assertEqual(len(log), 2)
        self.assertTrue(log[0].endswith(" update"))
        self.assertTrue(log[1].endswith(" install -y --no-install-recommends cmake libfyaml-dev"))

    def test_the_peers_come_with_bench_only(self):
        self.system(missing=("libmujoco-dev",))
        self.assertEqual(self.run_setup()[1], [])
        self.assertTrue(self.run_setup("bench")[1][-1].endswith(" libmujoco-dev"))

    def test_a_user_goes_through_sudo(self):
        self.system(missing=("cmake",), user=1000, sudo=True)
        result, log = self.run_setup()
        self.assertEqual(result.returncode, 0)
        self.assertEqual(log[0], "sudo")

    def test_without_root_or_sudo_it_says_what_to_type(self):
        self.system(missing=("cmake",), user=1000)
        result, log = self.run_setup()
        self.assertEqual((result.returncode, log), (1, []))
        self.assertIn("As root: apt-get install cmake", result.stderr)

    def test_another_system_gets_the_list(self):
        result, log = self.run_setup()
        self.assertEqual((result.returncode, log), (1, []))
        self.assertIn("not a Debian system", result.stderr)
        self.assertIn("libfyaml-dev", result.stderr)
        self.assertEqual(self.run_setup(PKM_SETUP="skip")[0].returncode, 0)

    def test_a_failing_apt_is_a_failure(self):
        self.system(missing=("cmake",), apt_status=100)
        result, _ = self.run_setup()
        self.assertEqual(result.returncode, 1)
        self.assertIn("apt-get update failed", result.stderr)


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()

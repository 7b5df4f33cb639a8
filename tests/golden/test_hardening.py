"""The release program is hardened, which is read from the program itself; and starts without HDF5."""

import os
import subprocess
import unittest

from program import PKM, is_sanitized


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True, check=True).stdout


def files():
    """The program and, when it is shared, its library."""
    folder = os.path.dirname(os.path.abspath(PKM))
    shared = os.path.join(folder, "libpkm.so")
    return [PKM] + ([shared] if os.path.exists(shared) else [])


@unittest.skipIf(is_sanitized(), "the sanitizer build has its own checks")
class Hardening(unittest.TestCase):
    def test_addresses_cannot_be_guessed(self):
        for path in files():
            self.assertIn("DYN", readelf("--file-header", path))

    def test_tables_of_calls_are_read_only(self):
        for path in files():
            self.assertIn("GNU_RELRO", readelf("--program-headers", path))
            self.assertRegex(readelf("--dynamic", path), r"BIND_NOW|\bNOW\b")

    def test_stacks_are_not_code(self):
        for path in files():
            line = [x for x in readelf("--program-headers", path).splitlines() if "GNU_STACK" in x]
            self.assertTrue(line and "RWE" not in line[0])

    def test_stacks_have_canaries_and_copies_are_checked(self):
        for path in files():
            names = readelf("--dyn-syms", path)
            self.assertIn("__stack_chk_fail", names)
            self.assertRegex(names, r"__\w+_chk@")
            self.assertIn("__snprintf_chk", names)

    def test_hdf5_is_no_part_of_the_start(self):
        for path in files():
            self.assertNotIn("hdf5", readelf("--dynamic", path))


if __name__ == "__main__":
    unittest.main()

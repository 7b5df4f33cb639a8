"""Numbers of equations in comments are those of the pages that the file names: a page that is numbered anew takes its code along."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NUMBER = r"\((\d{1,2}(?:\.\d{1,2})?[a-z]?)\)"  # (4.8), (26a), (7)
PAGES = {path.name: set(re.findall(NUMBER, path.read_text(encoding="utf-8"))) for path in (ROOT / "docs/theory").glob("*.md")}

PLAIN = {page for page in PAGES if page.startswith("closed-") or page in ("motion.md", "workspace.md")}  # (7) instead of (1.7)


def comments(path):
    text = path.read_text(encoding="utf-8")
    return "\n".join(re.findall(r"//[/<]*(.*)", text)) + "\n".join(re.findall(r"/\*.*?\*/", text, re.S))


def pages_of(path):
    """The pages of theory that a file or its header names."""
    files = [path] + [path.with_suffix(end) for end in (".h",) if path.with_suffix(end).exists()]
    return {name for file in files for name in re.findall(r"[\w-]+\.md", comments(file))} & set(PAGES)


class Equations(unittest.TestCase):
    def test_every_number_stands_in_a_page_that_the_file_names(self):
        seen = 0
        for path in sorted((ROOT / "src").rglob("*.[ch]")):
            pages = pages_of(path)
            if not pages:
                continue
            known = set().union(*(PAGES[page] for page in pages))
            for number in re.findall(NUMBER, comments(path)):
                if "." not in number and (number == "0" or not pages <= PLAIN):
                    continue  # a number of something else
                seen += 1
                self.assertIn(number, known, f"{path.relative_to(ROOT)} names {', '.join(sorted(pages))}")
        self.assertGreater(seen, 500)


if __name__ == "__main__":
    unittest.main()

"""The tools that guard the house go red on what they guard against."""

import importlib.util
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))


def tool(name):
    """The module tools/<name>.py."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Tree(unittest.TestCase):
    """A test with a small source tree of its own."""

    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


class Mutants(unittest.TestCase):
    def test_files_that_are_broken_exist_and_have_statements(self):
        mutants = tool("mutants")
        for path in mutants.READOUTS + mutants.KERNELS:
            self.assertGreater(len(list(mutants.sites_of(path))), 0, path)

    def test_what_asks_for_memory_is_known(self):
        before = "w->x = pkm_alloc(n, 8);\nsums* m = s->sums = pkm_sums_create(n);\n"
        asks = tool("mutants").asks_for_memory
        for statement in ("ok = ok && w->x && k > 2;", "!w->x || n < 2", "return m && m->n;", "bool ok = a && s->sums;"):
            self.assertTrue(asks(statement, before), statement)
            self.assertFalse(asks(statement, ""), statement)
        for statement in ("w->x[0] > 0.0 && n", "!w->y || n < 2", "m->n == 0 || w->xx", "k = w->x[0] && a;"):
            self.assertFalse(asks(statement, before), statement)


class Layers(Tree):
    def offences(self):
        return list(tool("check_includes").offences(self.root))

    def test_downwards_and_sideways_in_the_folder_is_fine(self):
        self.write("src/dynamics/mass.c", '#include "dynamics/mass.h"\n#include "base/error.h"\n'
                                          '#include "pkm/status.h"\n#include <math.h>\n')
        self.assertEqual(self.offences(), [])

    def test_upwards_is_found_with_its_line(self):
        self.write("src/math/vec3.c", '#include "math/vec3.h"\n#include "model/description.h"\n')
        self.assertEqual(len(self.offences()), 1)
        self.assertIn("src/math/vec3.c:2:", self.offences()[0])

    def test_sideways_to_the_same_layer_is_found(self):
        self.write("src/model/yaml.c", '#include "closed/closed.h"\n')
        self.assertEqual(len(self.offences()), 1)

    def test_an_unknown_folder_is_found(self):
        self.write("src/helpers/x.c", "")
        self.assertEqual(len(self.offences()), 1)

    def test_a_private_header_stays_in_its_module(self):
        self.write("src/linear/ked_impl.h", '#include "linear/ked.h"\n')
        self.write("src/linear/elastic_impl.h", "")
        self.write("src/linear/sweep.c", '#include "linear/ked_impl.h"\n')
        self.write("src/linear/ked_part.c", '#include "linear/ked_impl.h"\n')
        self.assertEqual(self.offences(), [])
        self.write("src/linear/ked_part.c", '#include "linear/elastic_impl.h"\n')
        self.write("src/study/case.c", '#include "linear/ked_impl.h"\n')
        self.assertEqual(len(self.offences()), 2)

    def test_a_public_header_keeps_to_three_system_headers(self):
        self.write("include/pkm/a.h", '#include <stdbool.h>\n#include "pkm/b.h"\n')
        self.assertEqual(self.offences(), [])
        self.write("include/pkm/b.h", '#include <stdio.h>\n#include "math/vec3.h"\n')
        self.assertEqual(len(self.offences()), 2)


class Docs(Tree):
    HEADER = '#define LIST(X) X(PKM_OK, 0, "fine") X(PKM_BAD, 2, "not fine")\n'

    def offences(self, table):
        self.write("include/pkm/status.h", self.HEADER)
        self.write("docs/reference/status-codes.md", table)
        return list(tool("check_docs").status_offences(self.root))

    def test_the_same_list_is_fine(self):
        self.assertEqual(self.offences("| `PKM_OK` | 0 | fine |\n| `PKM_BAD` | 2 | not fine |\n"), [])

    def test_a_missing_row_or_another_text_is_found(self):
        self.assertEqual(len(self.offences("| `PKM_OK` | 0 | fine |\n")), 1)
        self.assertEqual(len(self.offences("| `PKM_OK` | 0 | fine |\n| `PKM_BAD` | 3 | not fine |\n")), 1)

    def test_a_layer_that_the_guide_does_not_know_is_found(self):
        self.write("docs/guide/develop.md", "| 0 | base | x |\n| 1 | math, result | y |\n")
        offences = tool("check_docs").layer_offences
        self.assertEqual(list(offences(self.root, {"base": 0, "math": 1, "result": 1})), [])
        self.assertEqual(len(list(offences(self.root, {"base": 0, "math": 2, "result": 1, "cli": 9}))), 2)

    def test_a_dead_link_is_found(self):
        self.write("README.md", "[a](docs/a.md) [b](docs/b.md#part) `[c](d)` [web](https://x.org)\n")
        self.write("CHANGELOG.md", "")
        self.write("docs/a.md", "[up](../README.md)\n")
        found = list(tool("check_docs").link_offences(self.root))
        self.assertEqual(len(found), 1)
        self.assertIn("docs/b.md#part", found[0])


    def test_a_page_or_robot_that_is_not_listed_is_found(self):
        self.write("README.md", "[r](robots/r.yaml)\n")
        self.write("docs/README.md", "[a](guide/a.md)\n")
        for path in ("docs/guide/a.md", "docs/guide/b.md", "robots/r.yaml", "robots/s.yaml"):
            self.write(path, "")
        found = list(tool("check_docs").index_offences(self.root))
        self.assertEqual(len(found), 2)
        self.assertIn("guide/b.md", found[0])
        self.assertIn("robots/s.yaml", found[1])

    def test_an_equation_number_given_twice_is_found(self):
        self.write("docs/theory/a.md", "    a = b      (1.1)\n\n    c = d      (1.2)\n\n    e = f   (1.1)\n")
        self.write("docs/theory/b.md", "    a = b      (1.1)\n")
        found = list(tool("check_docs").equation_offences(self.root))
        self.assertEqual(len(found), 1)
        self.assertIn("(1.1)", found[0])

    def test_a_source_that_is_not_there_is_found(self):
        self.write("README.md", "")
        self.write("CONTRIBUTING.md", "")
        self.write("docs/theory/a.md", "`src/math/a.c` `math/a.c` `a.c` `math/b.c` `c.c`\n")
        self.write("docs/guide/develop.md", "`math/a.c`, `a.c`, `d.c`\n")
        self.write("src/math/a.c", "")
        found = list(tool("check_docs").file_offences(self.root))
        self.assertEqual(len(found), 3)
        self.assertIn("d.c", found[0])
        self.assertIn("math/b.c", found[1])
        self.assertIn("c.c", found[2])


class Sizes(unittest.TestCase):
    SOURCE = """#include <stdio.h>

static const int table[] = {
    1,
    2,
};

typedef struct pair {
    int a, b;
} pair;

int declared(int x);

static int short_one(int x)
{
    return x;
}

static double two_line_head(double x,
                            double y)
{
    if (x > y) {
        return x;
    }
    return y;
}
"""

    def test_functions_are_found_with_their_lengths(self):
        found = list(tool("measure").functions(self.SOURCE.splitlines()))
        self.assertEqual(found, [("short_one", 14, 4), ("two_line_head", 19, 8)])

    def test_quantiles(self):
        quantile = tool("measure").quantile
        self.assertEqual(quantile([5], 0.9), 5)
        self.assertEqual(quantile(list(range(1, 11)), 0.5), 5)
        self.assertEqual(quantile(list(range(1, 11)), 0.9), 9)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    unittest.main()

#!/usr/bin/env python3
"""Break single statements of the code, one at a time, and see whether a test goes red.

    tools/mutants.py [--seed N[,N...]] [--count N] [--jobs N] [--only N,N,...] [--tests REGEX] [--budget S] [--slowest S]

Mutants are drawn with a printed seed from all statements of the files below, by five operators
(sign, constant, comparison, index, deleted statement), more than half of them in what users read:
columns, peaks, ledgers, limits, verdicts. A draw goes by the words of a statement, so that a change
elsewhere leaves it as it is. All mutants are compiled into one library; the variable PKM_MUTANT
chooses one. Several seeds are several draws in one library, numbered on, that are counted each for itself: their
tests are explored once. Tests come in three tiers: units, physics, then those that run the program. Each runs
once unbroken; its processor time is taken and the mutants that it reaches are noted (and kept for the next
pass, while library and test are the same). Each mutant first meets the test that it died by in the last pass, if
there was one; then each that is still alive meets the tests of the tier that reach it, those of its own file and module first, then those that are quick and have killed many, until one is red or its
budget of processor seconds is used up; verdicts are kept likewise, so that a pass that was ended goes on
where it stood. A test is red when it fails, crashes, or takes four times its processor time. What no test kills is listed. Memory is not the subject: frees and sizes of
allocations are left alone (sanitizers and tests/faults judge them); nor are assertions, which this build has not. The work is done in
build/mutants, on a copy of the tree; --only takes some of the same draw again, after tests were
written, --tests only some tests, --slowest only those that are known to take no longer.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build/mutants"

READOUTS = """
    robot/motion_table.c robot/extra_columns.c robot/inverse_run.c robot/inverse_run_engine.c robot/inverse_run_closed.c
    robot/inverse_run_samples.c robot/inverse_run_sums.c robot/inverse_run_motors.c robot/compare.c robot/inverse_result.c
    robot/peaks.c robot/limits.c
    robot/joint_limits.c robot/singularity.c robot/watch.c robot/closed_watch.c robot/nearness.c robot/crossing.c
    robot/inspection.c robot/inspection_result.c robot/fastest.c robot/matrices.c robot/dexterity.c robot/closed_check.c
    simulate/rows.c simulate/peak_watch.c simulate/contact.c simulate/contact_record.c simulate/flexible_columns.c
    simulate/admit.c simulate/stop.c dynamics/plant_friction_columns.c clearance/seated_rows.c clearance/seated_watch.c
    clearance/envelope_run.c clearance/envelope_extreme.c flexible/link_readings.c flexible/gauge.c flexible/span.c
    linear/ked_table.c
    linear/modes_report.c linear/modes_response.c linear/elastic_energy.c linear/stiffness.c run/columns.c run/verify.c
    run/takes.c run/integrator.c run/motor_table.c study/measure.c study/findings.c study/findings_coupling.c
    study/findings_effects.c study/findings_published.c study/case.c study/record.c study/frequencies.c table/table.c
    table/column.c table/result.c table/warnings.c table/residual.c table/spectrum.c report/answer_json.c report/render.c
    write/csv.c write/json.c write/number.c write/manifest.c workspace/distance.c workspace/workspace.c
    verb/contact_report.c api/account_links.c api/account_sim.c api/account_contacts.c api/account_seated.c
    simulate/link_peaks.c simulate/run_sums.c simulate/ledger.c robot/sums.c robot/column_sums.c
""".split()
KERNELS = """
    dynamics/inverse.c dynamics/kinematics.c dynamics/rows.c dynamics/forward.c dynamics/blocks.c dynamics/modal.c
    dynamics/plant_friction.c dynamics/plant_contact.c dynamics/motion_solve.c dynamics/reactions.c force/contact_law.c
    force/friction_law.c force/friction_law_curves.c force/friction_law_coulomb.c force/friction_law_stribeck.c
    force/friction_law_brown_mcphee.c force/friction_law_lugre.c force/friction_law_elastoplastic.c force/joint_friction.c force/clearance_force.c force/spring.c force/motor.c force/controller.c
    closed/delta.c closed/rod_pair.c closed/guided.c closed/isoglide4.c closed/prrr2prpar.c beam/element.c beam/reduce.c
    linear/elastic_geometry.c linear/ked_system.c motion/law.c motion/path.c motion/spline.c math/quat.c math/vec3.c math/dense_lu.c
    solver/explicit_rk.c solver/sparse_lu.c solver/newmark.c workspace/workspace_robot.c
""".split()
SHARE_OF_READOUTS = 0.55
BUDGET = 150.0  # processor seconds that a mutant may use
TIERS = ("alloc|unit", "physics", "")  # beginnings of names: each kind is explored and asked for what is still alive
SLOWEST = 60.0  # seconds of the slowest test that is asked
WALL = 900.0  # seconds after which a test is given up, without a verdict: the machine may be busy
LEFT_OUT = re.compile(r"^(house|browser|header|fuzz|faults)\.|golden\.(install|demo|pages|readme|wasm)")

CODE = """
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((visibility("default"))) int pkm_mutant_number = 0;
static int log_file = -1;
static char seen[100000];
__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("PKM_MUTANT"), *log = getenv("PKM_MUTANT_LOG");
    if (number) pkm_mutant_number = atoi(number);
    if (log) log_file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666), pkm_mutant_number = -1;
}
__attribute__((visibility("default"))) void pkm_mutant_reached(int k)
{
    char text[16];
    if (log_file < 0 || seen[k]) return;
    seen[k] = 1;
    const int n = snprintf(text, sizeof text, "%d\\n", k);
    if (write(log_file, text, (size_t)n) != n) abort();
}
"""
HEADER = """
extern __attribute__((visibility("default"))) int pkm_mutant_number;
__attribute__((visibility("default"))) void pkm_mutant_reached(int k);
static inline int pkm_mutant(int k)
{
    if (pkm_mutant_number < 0) pkm_mutant_reached(k);
    return pkm_mutant_number == k;
}
"""


# ---- statements --------------------------------------------------------------------------------

def blank(text):
    """The text with comments and strings replaced by as many other characters."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " " if m.group(0)[0] == "/" else "@", m.group(0)), text)


def bodies(code):
    """Spans of function bodies: braces at depth 0 behind a closing parenthesis."""
    depth = begin = 0
    for i, char in enumerate(code):
        if char == "{":
            if depth == 0:
                begin = i if code[:i].rstrip().endswith(")") else None
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0 and begin is not None:
                yield begin + 1, i


def closing(code, at):
    """The index behind the parenthesis that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            return i + 1
    return len(code)


def statements(code, begin, end):
    """Yield (kind, begin, end): conditions of if and while, simple statements with their semicolon."""
    at = begin
    while at < end:
        rest = code[at:end]
        head = re.match(r"\s*((?:if|while|for|switch|else|do)\b|case [^:]*:|default:|[{}])\s*", rest)
        if head:
            at += head.end()
            if head.group(1) in ("if", "while", "for", "switch") and code[at] == "(":
                stop = closing(code, at)
                if head.group(1) in ("if", "while"):
                    yield "condition", at + 1, stop - 1
                at = stop
            continue
        space = re.match(r"\s*", rest).end()
        depth = 0
        for i in range(at + space, end):
            depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(code[i], 0)
            if code[i] == ";" and depth == 0:
                yield "simple", at + space, i + 1
                at = i + 1
                break
        else:
            return


MEMORY = re.compile(r"\bpkm_(\w+_)?(free|alloc|realloc|copy_string)\(|\bpkm_arena_\w+\(|\bfree\(|\bPKM_ERR_MEMORY\b")
GOT = re.compile(r"((?:[\w.\[\]>-]+ = )+)(?:\([^()]*\))?pkm_(?:\w+_)?(?:alloc|realloc|create|copy)\(")
DECLARED = re.compile(r"(?:static )?(?:const )?(?:unsigned |struct )?\w+\*?(?: \*| const |\* const | )\w+ = ")
SIGN = re.compile(r"(?<=[\w\])]) ([+-]) (?=[\w(*])|([+-])=")
NUMBER = re.compile(r"(?<![\w.])(\d+\.\d+(?:e-?\d+)?|\d+)(?![\w.])")
COMPARE = re.compile(r" (<=|>=|==|!=|<|>|&&|\|\|) ")
INDEX = re.compile(r"\[([^\[\]@]+)\]|(?<=\w)\.([xyz])\b")
FILLED = "63"  # the byte of memset: makes numbers of 4.8e-4, while the byte 1 makes some of 7.7e-304
OTHER = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "==", "&&": "||", "||": "&&"}


def spots(code):
    """Yield (operator, begin, end, replacement) of the ways to break an expression."""
    for m in SIGN.finditer(code):
        g = 1 if m.group(1) else 2
        yield "sign", m.start(g), m.end(g), "-" if m.group(g) == "+" else "+"
    for m in NUMBER.finditer(code):
        value = m.group(1)
        more = str(int(value) + 1) if value.isdigit() else f"(1.5 * {value} + 0.5)"
        is_byte = re.search(r"\bmemset\([^,]*, $", code[:m.start(1)])
        yield "constant", m.start(1), m.end(1), FILLED if is_byte else more
    for m in COMPARE.finditer(code):
        yield "comparison", m.start(1), m.end(1), OTHER[m.group(1)]
    for m in INDEX.finditer(code):
        if m.group(2):
            yield "index", m.start(2), m.end(2), {"x": "y", "y": "z", "z": "x"}[m.group(2)]
        else:
            i = m.group(1)
            yield "index", m.start(1), m.end(1), f"({i}) > 0 ? ({i}) - 1 : ({i}) + 1"


def asks_for_memory(statement, before):
    """Does a statement ask, alone or among others, whether something that its function has got before is there?"""
    got = {name for m in GOT.finditer(before) for name in m.group(1).split(" = ")}
    asked = re.split(r"&&|\|\||\breturn\b|(?<![=<>!])=(?!=)", statement)
    return any(part.strip(" !();\n") in got - {""} for part in asked)


class Site:
    """One way to break one statement of a file."""

    def __init__(self, path, kind, begin, end, operator, spot, text):
        self.path, self.kind, self.begin, self.end = path, kind, begin, end
        self.operator, self.spot, self.old = operator, spot, text[begin:end]
        self.line = text.count("\n", 0, begin) + 1

    def broken(self):
        if self.operator == "deleted":
            return ";"
        begin, end, new = self.spot
        return self.old[:begin] + new + self.old[end:]

    def parts(self):
        """(what stays in front, what is broken, what stays behind) of a statement with a value; None without one."""
        if self.kind == "condition":
            return "", self.old, ""
        declared = re.match("return ", self.old) or DECLARED.match(self.old)
        return declared and (self.old[:declared.end()], self.old[declared.end():-1], ";")

    def code(self, number, inner=None):
        """What stands in the place of the statement, with both versions; `inner` is the old one with others of its mutants."""
        new, old, chosen = self.broken(), inner or self.old, f"pkm_mutant({number})"
        if not self.parts():
            return f"{{ if ({chosen}) {{ {new} }} else {{ {old} }} }}"
        front, _, behind = self.parts()
        value = slice(len(front), -len(behind) or None)
        return f"{front}{chosen} ? ({new[value]}) : ({old[value]}){behind}"

    def words(self):
        """What it is, wherever it stands in its file."""
        return [self.path, self.operator, " ".join(self.old.split()), str(self.spot and self.spot[0] - self.spot[1]),
                " ".join(self.broken().split())]

    def killer(self):
        """The note of the test that it died by last, of whatever library."""
        return WORK / "killers" / hashlib.sha256("\0".join(self.words()).encode()).hexdigest()

    def __str__(self):
        flat = " ".join(self.old.split())
        became = " ".join(self.broken().split()) if self.operator != "deleted" else "(deleted)"
        return f"src/{self.path}:{self.line} {self.operator}: {flat}  ->  {became}"


def sites_of(path):
    """All sites of a file of src/."""
    text = (ROOT / "src" / path).read_text(encoding="utf-8")
    code = blank(text)
    for first, last in bodies(code):
        for kind, begin, end in statements(code, first, last):
            old = code[begin:end]
            declared = DECLARED.match(old)
            skip = declared.end() if declared else 0
            is_other = re.match(r"(static )?(const )?\w+\*? \*?\w+(\[|,|;| = \{)", old) or "\n#" in old or "{" in old
            if kind == "simple" and not declared and is_other and not old.startswith("return "):
                continue  # a declaration that cannot be split, or an initialiser
            if old.startswith(("break", "continue", "goto", "(void)", "static ", "return;", "va_", "PKM_ASSERT(")) or MEMORY.search(old):
                continue
            if COMPARE.search(old) and asks_for_memory(old, code[first:begin]):
                continue
            for operator, b, e, new in spots(old):
                if b >= skip:
                    yield Site(path, kind, begin, end, operator, (b, e, new), text)
            if kind == "simple" and not declared and not old.startswith("return"):
                yield Site(path, kind, begin, end, "deleted", None, text)


def lot(seed, site, turn):
    """The number by which a site is drawn: of the seed and the site's own words, not of what surrounds it."""
    return hashlib.sha256("\0".join([str(seed), *site.words(), str(turn)]).encode()).hexdigest()


def draw(files, count, seed):
    """Draw sites, the operators alike, at most one per statement."""
    by_operator, turns = {}, {}
    for path in files:
        for site in sites_of(path):
            same = (path, site.operator, site.old, site.broken())
            turns[same] = turns.get(same, 0) + 1
            by_operator.setdefault(site.operator, []).append((lot(seed, site, turns[same]), site))
    queues = [iter(sorted(by_operator[name], key=lambda pair: pair[0])) for name in sorted(by_operator)]
    taken, used = [], set()
    while len(taken) < count and queues:
        queue = queues[len(taken) % len(queues)]
        site = next((s for _, s in queue if (s.path, s.begin) not in used and compiles(s)), None)
        if not site:
            queues.remove(queue)
            continue
        used.add((site.path, site.begin))
        taken.append(site)
    return taken


def compiles(site):
    """Is the broken statement still C? The answer is kept for the same source."""
    text = (ROOT / "src" / site.path).read_text(encoding="utf-8")
    source = HEADER + text[:site.begin] + site.code(1) + text[site.end:]
    note = WORK / "compiles" / hashlib.sha256(source.encode()).hexdigest()
    if not note.exists():
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text("yes" if is_c(source) else "no")
    return note.read_text() == "yes"


def is_c(source):
    flags = subprocess.run(["pkg-config", "--cflags", "openblas", "libfyaml", "sqlite3"], capture_output=True, text=True,
                           check=True).stdout.split()
    done = subprocess.run(["gcc", "-std=c17", "-fsyntax-only", "-w", "-D_DEFAULT_SOURCE", "-DPKM_VERSION=\"\"", "-x", "c",
                           "-I", str(ROOT / "src"), "-I", str(ROOT / "include"), *flags, "-"],
                          input=source, text=True, capture_output=True, check=False)
    return done.returncode == 0


# ---- the tree ----------------------------------------------------------------------------------

def write_if_new(path, data):
    """Write a file whose content is another, so that only this is built again."""
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def broken_sources(mutants):
    """{path in src/: text with all its mutants}."""
    by_path, out = {}, {"base/mutant.c": CODE}
    for number, site in enumerate(mutants, start=1):
        by_path.setdefault(site.path, {}).setdefault(site.begin, []).append((site, number))
    for path, places in by_path.items():
        text = (ROOT / "src" / path).read_text(encoding="utf-8")
        for begin in sorted(places, reverse=True):
            code = None
            for site, number in places[begin]:
                code = site.code(number, code)
            text = text[:begin] + code + text[places[begin][0][0].end:]
        out[path] = HEADER + "#line 1\n" + text
    return out


def make_tree(mutants, jobs):
    """Copy the tree, put all mutants in, build it."""
    tree, build = WORK / "tree", WORK / "build"
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout
    names = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    broken = {f"src/{path}": text for path, text in broken_sources(mutants).items()}
    for path in [p for p in tree.rglob("*") if p.is_file() and not p.is_symlink()] if tree.exists() else []:
        if str(path.relative_to(tree)) not in names | set(broken):
            path.unlink()
    for name in names - set(broken):
        write_if_new(tree / name, (ROOT / name).read_bytes())
        shutil.copymode(ROOT / name, tree / name)
    for name, text in broken.items():
        write_if_new(tree / name, text.encode())
    if (ROOT / "web/node_modules").exists() and not (tree / "web/node_modules").exists():
        (tree / "web/node_modules").symlink_to((ROOT / "web/node_modules").resolve())
    configure = ["cmake", "-G", "Ninja", "-S", tree, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                 "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON", "-DCMAKE_C_FLAGS=-w", "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG"]
    for command in (configure, ["cmake", "--build", build, "-j", str(jobs)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"mutants: the tree does not build\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return build


def near(test, path):
    """How near a test is to a file of src/: 3 its own, 2 of its name, 1 of its module, 0 any."""
    module, stem = path[:-2].split("/")
    _, *names = re.split(r"[.]", test)
    words = set(re.split(r"[._]", test))
    if names == [module, stem]:
        return 3
    if names[-1] in stem or stem in names[-1] or words & set(stem.split("_")):
        return 2
    return 1 if module in words else 0


class Test:
    """A test of the build, with the mutants it reaches."""

    def __init__(self, entry, guess, key):
        self.name, self.command = entry["name"], entry.get("command")
        self.environment = {}
        for item in entry.get("properties", []):
            if item["name"] == "ENVIRONMENT":
                self.environment = dict(pair.split("=", 1) for pair in item["value"])
            if item["name"] == "WORKING_DIRECTORY":
                self.folder = item["value"]
        self.guess, self.seconds, self.reaches, self.is_green = guess, 0.0, set(), False
        self.n_asked, self.n_killed = 0, 0
        self.key = key + digest(Path(self.command[-1] if self.command else self.name))

    def run(self, extra, limit):
        """(exit code, or None without a verdict; processor seconds). `limit` is in processor seconds of each process."""
        def bound():
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        process = subprocess.Popen(self.command, cwd=self.folder, env={**os.environ, **self.environment, **extra},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=bound)
        ended = threading.Event()
        threading.Thread(target=give_up, args=(process.pid, ended), daemon=True).start()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        is_late = ended.is_set()
        ended.set()
        return None if is_late else process.returncode, used.ru_utime + used.ru_stime

    def price(self, path):
        """Processor seconds for a hope of 1 that it kills a mutant of a file: what it takes, how near it is, what it has killed."""
        share = (self.n_killed + 1.0) / (self.n_asked + 4.0)
        return (self.seconds + 0.1) * 0.25 ** near(self.name, path) / share

    def explore(self):
        """Run unbroken and note what is reached, unless the same test of the same library has done so."""
        log, note = WORK / "reached" / self.name, WORK / "explored" / self.name
        known = json.loads(note.read_text()) if note.exists() else {}
        if known.get("key") != self.key:
            log.unlink(missing_ok=True)
            code, seconds = self.run({"PKM_MUTANT_LOG": str(log)}, WALL)
            reaches = sorted({int(line) for line in log.read_text().split()} if log.exists() else set())
            known = {"key": self.key, "green": code == 0, "seconds": round(seconds, 2), "reaches": reaches}
            note.write_text(json.dumps(known))
        self.seconds, self.is_green, self.reaches = known["seconds"], known["green"], set(known["reaches"])


def give_up(group, ended):
    """End a test that has not ended after WALL seconds."""
    if not ended.wait(WALL):
        ended.set()
        os.killpg(group, signal.SIGKILL)


class Hunt:
    """What became of the mutants, and what the search for it used."""

    def __init__(self, mutants, chosen, budget):
        self.mutants, self.alive, self.killer = mutants, list(chosen), {}
        self.left = dict.fromkeys(chosen, budget)
        self.asked, self.reached, self.used = dict.fromkeys(chosen, 0), dict.fromkeys(chosen, 0), 0.0

    def ask(self, number, tests):
        """Ask the tests that reach a mutant until one is red or the budget is gone."""
        path = self.mutants[number - 1].path
        reach = [t for t in tests if t.is_green and number in t.reaches]
        reach.sort(key=lambda t: t.price(path))
        self.reached[number] += len(reach)
        for test in reach:
            if test.seconds > self.left[number]:
                continue
            code, seconds = self.verdict(number, test)
            self.asked[number] += 1
            test.n_asked += 1
            self.used += seconds
            self.left[number] -= seconds
            if code not in (0, None):
                self.killer[number] = test.name
                self.mutants[number - 1].killer().write_text(test.name)
                test.n_killed += 1
                print(f"{number}: dies by {test.name}", flush=True)
                return

    @staticmethod
    def verdict(number, test):
        """What a test says of a mutant: (exit code, processor seconds). A verdict of the same library and test is kept."""
        note = WORK / "verdicts" / f"{number}-{test.name}"
        known = json.loads(note.read_text()) if note.exists() else {}
        if known.get("key") != test.key:
            code, seconds = test.run({"PKM_MUTANT": str(number)}, 4.0 * test.seconds + 5.0)
            known = {"key": test.key, "code": code, "seconds": seconds}
            if code is not None:
                note.write_text(json.dumps(known))
        return known["code"], known["seconds"]

    def meet_killers(self, pool, tests):
        """Let each mutant meet the test that it died by last."""
        by_name = {t.name: t for t in tests}
        notes = {n: self.mutants[n - 1].killer() for n in self.alive}
        last = {n: by_name.get(note.read_text()) for n, note in notes.items() if note.exists()}
        list(pool.map(Test.explore, {t for t in last.values() if t}))
        list(pool.map(lambda n: self.ask(n, [last[n]]), [n for n in last if last[n]]))
        self.alive = [n for n in self.alive if n not in self.killer]

    def meet(self, pool, tests):
        """Let a tier of tests meet what is alive."""
        list(pool.map(lambda n: self.ask(n, tests), self.alive))
        self.alive = [n for n in self.alive if n not in self.killer]
        print(f"mutants: {len(tests)} tests asked, {len(self.alive)} alive: {','.join(map(str, self.alive))}", flush=True)


def digest(path):
    """What tells a file from others; nothing for what is no file."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def costs():
    """{test: processor seconds} as the last pass has noted them."""
    return {path.name: json.loads(path.read_text())["seconds"] for path in WORK.glob("explored/*")}


def tell_explored(tests):
    """What the tests took and reach."""
    reached = set().union(*(t.reaches for t in tests))
    print(f"mutants: {len(tests)} tests explored in {sum(t.seconds for t in tests) / 60:.1f} processor minutes, they reach "
          f"{len(reached)} mutants; red without a mutant: {', '.join(t.name for t in tests if not t.is_green) or 'none'}", flush=True)


def tests_of(build, pattern, slowest):
    """The tests of the build that say something about the code and take at most so many seconds, the slowest first."""
    for name in ("reached", "explored", "verdicts", "killers"):
        (WORK / name).mkdir(exist_ok=True)
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True).stdout
    cost, guess = costs(), {"unit": 0.5, "golden": 3.0, "physics": 5.0}
    key = "".join(digest(build / name) for name in ("libpkm_inside.so", "pkm"))
    tests = [Test(t, cost.get(t["name"], guess.get(t["name"].split(".")[0], 1.0)), key) for t in json.loads(shown)["tests"]
             if t.get("command") and not LEFT_OUT.match(t["name"]) and re.search(pattern, t["name"])]
    return sorted((t for t in tests if t.guess <= slowest), key=lambda t: -t.guess)


def tell(mutants, chosen, hunt, tests, draws):
    """The survivors and the counts, draw by draw; the exit code. `draws` is {seed: numbers of its mutants}."""
    red = [t.name for t in tests if not t.is_green]
    print(f"mutants: {len(tests)} tests, red without a mutant: {', '.join(red) or 'none'}")
    for number in hunt.alive:
        print(f"alive ({hunt.asked[number]} of {hunt.reached[number]} tests that reach it asked): {number}: {mutants[number - 1]}")
    print(f"mutants: {sum(t.seconds for t in tests) / 60:.1f} processor minutes unbroken, {hunt.used / 60:.1f} broken")
    is_enough = True
    for seed, numbers in draws.items():
        asked = [n for n in chosen if n in numbers]
        dead = [n for n in asked if n in hunt.killer]
        print(f"mutants: seed {seed}: {len(dead)} of {len(asked)} die")
        is_enough = is_enough and len(dead) >= 0.95 * len(asked)
    return 0 if is_enough else 1


def main():
    global WORK
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1", help="of the draw, or of several, with commas")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="numbers of mutants of this draw, with commas")
    parser.add_argument("--tests", default="", help="only tests whose name this expression finds")
    parser.add_argument("--budget", type=float, default=BUDGET, help="processor seconds per mutant")
    parser.add_argument("--slowest", type=float, default=SLOWEST, help="seconds of the slowest test")
    parser.add_argument("--folder", type=Path, default=WORK, help="where the tree is built")
    parser.add_argument("--built", action="store_true", help="the tree is built as it should be: take it")
    parser.add_argument("--draw", action="store_true", help="print the draw and stop")
    options = parser.parse_args()
    WORK = options.folder.resolve()
    n_read = round(SHARE_OF_READOUTS * options.count)
    mutants, draws = [], {}
    for seed in map(int, options.seed.split(",")):
        drawn = draw(READOUTS, n_read, seed) + draw(KERNELS, options.count - n_read, seed)
        print(f"mutants: seed {seed}, {len(drawn)} drawn, {n_read} of them in what users read", flush=True)
        draws[seed] = range(len(mutants) + 1, len(mutants) + len(drawn) + 1)
        for number, site in zip(draws[seed], drawn):
            print(f"{number}: {site}", flush=True)
        mutants += drawn
    if options.draw:
        return 0
    build = WORK / "build" if options.built else make_tree(mutants, options.jobs)
    tests = tests_of(build, options.tests, options.slowest)
    chosen = [int(n) for n in options.only.split(",") if n] or list(range(1, len(mutants) + 1))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        hunt = Hunt(mutants, chosen, options.budget)
        met = []
        hunt.meet_killers(pool, tests)
        for tier in TIERS:
            now = [t for t in tests if t not in met and re.match(tier, t.name)]
            if hunt.alive and now:
                list(pool.map(Test.explore, now))
                tell_explored(now)
                hunt.meet(pool, now)
                met += now
    return tell(mutants, chosen, hunt, met, draws)


if __name__ == "__main__":
    sys.exit(main())

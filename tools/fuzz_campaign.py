#!/usr/bin/env python3
"""A campaign of libFuzzer for each reader, until its end is earned.

    tools/fuzz_campaign.py [--build FOLDER] [--jobs N] [--limit SECONDS] [TARGET ...]
    tools/fuzz_campaign.py --show            the table of docs/reference/robustness.md

The rule, here and nowhere else: a campaign has ended when the target has made 10^6 executions or used an hour of a
processor, and the last ten minutes of processor time (of the process, not of the clock) have brought no new edge of the
reader that it is for (tests/fuzz/readers.txt says which sources are whose). It begins with tests/fuzz/corpus and with seeds that know the keys, options and
forms (tools/fuzz_seeds.py), and goes on where it was stopped: build/fuzz/campaign/NAME.json has what was done with
the build (its hash), build/fuzz/corpus what was learned. --jobs run at a time (1); --limit ends everything
after so many seconds of the clock. tools/fuzz.sh build builds the targets. --workers processes work on one target at the same
time and read what the others learn: their executions and their time are added.
"""

import argparse
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import fuzz_seeds

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build/fuzz"
SEEDS = {"model": ["robots", "tests/data/0.1/robots"], "run": ["runs", "tests/data/0.1/runs"],
         "study": ["studies", "tests/data/0.1/studies"]}
LONGEST = {"expression": 200, "mesh": 1200, "table": 1000, "body": 1500, "json": 500, "model": 8000, "run": 1500,
           "study": 3000, "command": 500, "report": 500, "motors": 1500, "hdf5": 21000}
EXECUTIONS, PROCESSOR, QUIET = 1000000, 3600.0, 600.0


def has_ended(state):
    """The rule."""
    is_long = state["executions"] >= EXECUTIONS or state["used"] >= PROCESSOR
    return is_long and state["used"] - state["news"]["used"] >= QUIET


def without_comments(name, folder):
    """The files of the repository that a target reads, without comments and empty lines: seeds that cost little."""
    seeds = Path(folder) / "seeds"
    seeds.mkdir()
    for place in SEEDS.get(name, []):
        for path in sorted((ROOT / place).glob("*.yaml")):
            text = re.sub(r"[ \t]+#[^\n\"']*$|^#.*$", "", path.read_text(encoding="utf-8"), flags=re.M)
            short = "".join(line.rstrip() + "\n" for line in text.splitlines() if line.strip())
            (seeds / f"{place.replace('/', '-')}-{path.name}").write_text(short, encoding="utf-8")
    return seeds


def dictionary(name, folder):
    """Words of the seeds and schemas, as libFuzzer wants them."""
    words = set()
    places = [ROOT / "tests/fuzz/corpus" / name, *(ROOT / s for s in SEEDS.get(name, []))]
    for place in places:
        for path in place.glob("*"):
            text = path.read_bytes()[:20000].decode("ascii", "ignore") if path.is_file() else ""
            words |= set(re.findall(r"[A-Za-z_-]{2,24}", text))
    schema = ROOT / f"schema/pkm-{name}-1.schema.json"
    if schema.exists():
        words |= set(re.findall(r'"([a-z_]{2,24})"', schema.read_text(encoding="utf-8")))
    path = Path(folder) / f"{name}.dict"
    path.write_text("".join(f'"{w}"\n' for w in sorted(words)), encoding="ascii")
    return path


def processor_time(pid):
    """Seconds that a process and the children it has waited for have used; None when it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return None
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def last_numbers(log):
    """(executions, edges) of the last line of a log."""
    found = re.findall(rb"^#(\d+)\s.*?cov: (\d+)", log.read_bytes(), re.M) if log.exists() else []
    return (int(found[-1][0]), int(found[-1][1])) if found else (0, 0)


def owners():
    """(pattern of sources, names of the targets in whose campaigns they count): the first that fits decides."""
    names, found = [], []
    for line in (ROOT / "tests/fuzz/readers.txt").read_text(encoding="ascii").splitlines():
        if line.startswith("# ") and re.match(r"# [a-z0-9]+:", line):
            names = re.findall(r"([a-z0-9]+):", line)
        elif line.startswith("src:"):
            found.append((line[len("src:"):], names))
    return found


def owners_of(source, patterns):
    return next((names for pattern, names in patterns if fnmatch.fnmatchcase(source, pattern)), [])


def edges_of(program, name, scratch):
    """The edges of a program that count for a target, as ranges: those of functions in its sources."""
    path = Path(scratch) / "functions"
    subprocess.run([program], env=dict(os.environ, PKM_FUZZ_FUNCTIONS=str(path)), check=True)
    functions = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
    places = subprocess.run(["addr2line", "-e", str(program)], input="\n".join(f[1] for f in functions[:-1]), capture_output=True,
                            text=True, check=True).stdout.splitlines()
    patterns, ranges, known = owners(), [], {}
    for place, (first, _), (last, _) in zip(places, functions, functions[1:]):
        source = place.split(":")[0]
        if source not in known:
            known[source] = owners_of(os.path.normpath(source), patterns)
        if name in known[source]:
            if ranges and ranges[-1][1] == int(first):
                ranges[-1][1] = int(last)
            else:
                ranges.append([int(first), int(last)])
    assert ranges, f"no source of {name} is in {program}"
    return ranges


class Target:
    """One reader: its processes, what they have done."""

    def __init__(self, name, build, workers):
        self.name, self.path = name, WORK / f"campaign/{name}.json"
        self.logs = [WORK / f"campaign/{name}{'-' if k else ''}{k or ''}.log" for k in range(workers)]
        self.program = ROOT / build / f"tests/fuzz/fuzz.{name}"
        self.state = dict.fromkeys(("executions", "used", "clock", "edges", "found"), 0)
        self.state["news"] = dict.fromkeys(("executions", "used", "clock"), 0)
        digest = hashlib.sha256(self.program.read_bytes()).hexdigest() if self.program.exists() else ""
        if self.path.exists():
            self.state = json.loads(self.path.read_text(encoding="ascii"))
            if digest and self.state["build"] != digest:  # edges of another build are not these: its quiet is gone
                self.state["edges"] = 0
                self.is_news()
        if digest:
            self.state["build"] = digest

    def is_news(self):
        self.state["news"] = {key: self.state[key] for key in self.state["news"]}

    def quiet(self, key):
        return self.state[key] - self.state["news"][key]

    def plant(self, corpus, scratch, environment):
        """Where nothing was learned yet: of the seeds that know keys and forms, those that reach something new."""
        if self.name not in fuzz_seeds.TARGETS or any(corpus.iterdir()):
            return
        fuzz_seeds.make(scratch / "made", self.name)
        found = f"{WORK}/found/{self.name}-seed-"  # a merge survives what breaks the target and says nothing
        subprocess.run([self.program, "-merge=1", f"-max_len={LONGEST[self.name]}", "-timeout=300", f"-artifact_prefix={found}",
                        corpus, scratch / "made"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, check=False)
        shutil.rmtree(scratch / "made")
        broken = [p.name for p in (WORK / "found").glob(f"{self.name}-seed-*") if "slow-unit" not in p.name]
        self.state["found"] += len(broken)
        for name in broken:
            print(f"FOUND by a seed: {WORK}/found/{name}", flush=True)

    def count(self, scratch):
        """The file that tells the target which edges count."""
        ranges, path = edges_of(self.program, self.name, scratch), scratch / "count"
        self.state["countable"] = sum(last - first for first, last in ranges)
        path.write_text("".join(f"{first} {last}\n" for first, last in ranges), encoding="ascii")
        return str(path)

    def command(self, scratch, environment):
        corpus = WORK / "corpus" / self.name
        corpus.mkdir(parents=True, exist_ok=True)
        self.plant(corpus, scratch, environment)
        seeds = [ROOT / f"tests/fuzz/corpus/{self.name}", without_comments(self.name, scratch)]
        return [self.program, f"-max_len={LONGEST.get(self.name, 1000)}", "-timeout=300", "-rss_limit_mb=2000",
                "-print_final_stats=1", f"-reload={int(len(self.logs) > 1)}", "-entropic=0", f"-dict={dictionary(self.name, scratch)}",
                f"-artifact_prefix={WORK}/found/{self.name}-", corpus, *(s for s in seeds if s.is_dir())]

    def note(self, before, used, clock):
        """What the processes have done so far, added to what was done before them."""
        numbers = [last_numbers(log) for log in self.logs]
        self.state.update(used=before["used"] + used, clock=before["clock"] + clock,
                          executions=before["executions"] + sum(executions for executions, _ in numbers))
        edges = max(edges for _, edges in numbers)
        if edges > self.state["edges"]:
            self.state["edges"] = edges
            self.is_news()

    def watch(self, processes, end):
        """Until the campaign has ended, something is found, or the clock shows `end`."""
        before, start, used, is_asked = dict(self.state), time.monotonic(), [0.0] * len(processes), False
        while any(p.poll() is None for p in processes):
            time.sleep(2)
            used = [processor_time(p.pid) or u for p, u in zip(processes, used)]
            self.note(before, sum(used), time.monotonic() - start)
            is_over = time.monotonic() >= end or has_ended(self.state) or any(p.poll() for p in processes)
            if not is_asked and is_over:
                is_asked = True
                for process in processes:
                    process.send_signal(signal.SIGUSR1)  # libFuzzer's wish to end with its numbers
        done = [re.findall(rb"number_of_executed_units: *(\d+)", log.read_bytes()) for log in self.logs]
        if all(done):
            self.state["executions"] = before["executions"] + sum(int(d[-1]) for d in done)

    def start(self, command, log, environment):
        with open(log, "wb") as out:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment, cwd=ROOT, start_new_session=True)

    def run(self, end):
        if has_ended(self.state) or time.monotonic() >= end:
            return
        scratch = Path(tempfile.mkdtemp(prefix="pkm-fuzz-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
        environment = dict(os.environ, TMPDIR=str(scratch), OPENBLAS_NUM_THREADS="1", PKM_FUZZ_COUNT=self.count(scratch),
                           GLIBC_TUNABLES="glibc.malloc.hugetlb=1")  # large pages: child processes begin in two thirds of the time
        command = self.command(scratch, environment)
        processes = [self.start(command, log, environment) for log in self.logs]
        self.watch(processes, end)
        shutil.rmtree(scratch, ignore_errors=True)
        broken = [str(log) for process, log in zip(processes, self.logs) if process.returncode != 0]
        self.state["found"] += len(broken)
        self.path.write_text(json.dumps(self.state), encoding="ascii")
        print(self.row() + (f" FOUND something, see {' '.join(broken)}" if broken else ""), flush=True)

    def row(self):
        s = self.state
        return (f"| `{self.name}` | {s['executions']} | {s['used'] / 60:.1f} | {s['edges']} | {self.quiet('executions')} | "
                f"{self.quiet('used') / 60:.1f} | {self.quiet('clock') / 60:.0f} | {'yes' if has_ended(s) else 'no'} | {s['found']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/fuzz-fast")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--limit", type=float, default=1e9)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("targets", nargs="*")
    options = parser.parse_args()
    for folder in ("found", "campaign"):
        (WORK / folder).mkdir(parents=True, exist_ok=True)
    names = options.targets or sorted(p.stem[5:] for p in (ROOT / "tests/fuzz").glob("fuzz_*.c"))
    targets = [Target(name, options.build, options.workers) for name in names]
    end = time.monotonic() + options.limit
    if not options.show:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda target: target.run(end), targets))
    print("| target | executions | CPU minutes | edges | since the last new edge: executions | CPU minutes | minutes of the "
          "clock | ended | findings |\n|---|---|---|---|---|---|---|---|---|")
    for target in targets:
        print(target.row())
    return 0 if all(has_ended(t.state) for t in targets) else 1


if __name__ == "__main__":
    raise SystemExit(main())

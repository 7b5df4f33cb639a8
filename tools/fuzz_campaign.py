#!/usr/bin/env python3
"""A campaign of libFuzzer for each reader, until its end is earned.

    tools/fuzz_campaign.py [--build FOLDER] [--executions N] [--quiet SECONDS] [--limit SECONDS] [--jobs N] [TARGET ...]

A target ends when it has made N executions (10^6) and SECONDS of processor time (600) have brought no new edge, or when
it has used --limit seconds of processor time (3600). tools/fuzz.sh builds the targets (--fast: without sanitizers, for
the bulk of the executions); what is learned stays in build/fuzz/corpus. Prints one line per target: executions, edges,
processor time, the part of it without a new edge.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SEEDS = {"model": ["robots", "tests/data/0.1/robots"], "run": ["runs", "tests/data/0.1/runs"],
         "study": ["studies", "tests/data/0.1/studies"]}
LONGEST = {"expression": 200, "mesh": 1000, "table": 1000, "body": 1500, "json": 500, "model": 8000, "run": 1500,
           "study": 3000, "command": 500, "report": 500, "hdf5": 20000}


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
    """Seconds that a process has used; None when it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def last_numbers(log):
    """(executions, edges) of the last line of a log."""
    found = re.findall(rb"^#(\d+)\s.*?cov: (\d+)", log.read_bytes(), re.M) if log.exists() else []
    return (int(found[-1][0]), int(found[-1][1])) if found else (0, 0)


class Target:
    """One reader: its process, what it has done."""

    def __init__(self, name, options):
        self.name, self.options = name, options
        self.work = ROOT / "build/fuzz"
        self.log = self.work / f"{name}.campaign.log"

    def command(self, scratch):
        corpus = self.work / "corpus" / self.name
        corpus.mkdir(parents=True, exist_ok=True)
        seeds = [ROOT / f"tests/fuzz/corpus/{self.name}", without_comments(self.name, scratch)]
        return [ROOT / self.options.build / f"tests/fuzz/fuzz.{self.name}", f"-max_len={LONGEST.get(self.name, 1000)}",
                "-timeout=300", "-rss_limit_mb=2000", "-print_final_stats=1", "-reload=0", "-entropic=0",
                f"-dict={dictionary(self.name, scratch)}", f"-artifact_prefix={self.work}/found/{self.name}-", corpus,
                *(s for s in seeds if s.is_dir())]

    def has_ended(self, used, executions):
        enough = executions >= self.options.executions and used - self.news_at >= self.options.quiet
        return enough or used >= self.options.limit

    def watch(self, process):
        while process.poll() is None:
            time.sleep(5)
            used = processor_time(process.pid)
            executions, edges = last_numbers(self.log)
            if used is None or executions == 0:
                continue
            if edges > self.edges:
                self.edges, self.news_at = edges, used
            self.used = used
            if self.has_ended(used, executions):
                process.send_signal(signal.SIGUSR1)  # libFuzzer's wish to end with its numbers

    def run(self):
        self.edges, self.used, self.news_at = 0, 0.0, 0.0
        scratch = Path(tempfile.mkdtemp(prefix="pkm-fuzz-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
        environment = dict(os.environ, TMPDIR=str(scratch), OPENBLAS_NUM_THREADS="1")
        with open(self.log, "wb") as log:
            process = subprocess.Popen(self.command(scratch), stdout=log, stderr=log, env=environment, cwd=ROOT)
            self.watch(process)
        shutil.rmtree(scratch, ignore_errors=True)
        done = re.findall(rb"number_of_executed_units: *(\d+)", self.log.read_bytes())
        executions = int(done[-1]) if done else last_numbers(self.log)[0]
        print(f"{self.name:<12} {executions:>10} executions, {last_numbers(self.log)[1]:>6} edges, {self.used:6.0f} s of a "
              f"processor, the last {self.used - self.news_at:5.0f} s without a new edge"
              f"{'' if process.returncode == 0 else ', FOUND something: see ' + str(self.log)}", flush=True)
        return process.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/fuzz-fast")
    parser.add_argument("--executions", type=int, default=1000000)
    parser.add_argument("--quiet", type=float, default=600.0)
    parser.add_argument("--limit", type=float, default=3600.0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("targets", nargs="*")
    options = parser.parse_args()
    (ROOT / "build/fuzz/found").mkdir(parents=True, exist_ok=True)
    names = options.targets or sorted(p.stem[5:] for p in (ROOT / "tests/fuzz").glob("fuzz_*.c") if p.stem != "fuzz_hdf5")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        good = list(pool.map(lambda name: Target(name, options).run(), names))
    return 0 if all(good) else 1


if __name__ == "__main__":
    raise SystemExit(main())

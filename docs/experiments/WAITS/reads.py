#!/usr/bin/env python3
"""What a thread waits for its reads by its own clock, and what Linux accounts of it.

  ./trimtab lab disk up /var/tmp/disk --size 2g
  sudo python3 docs/experiments/WAITS/reads.py /var/tmp/disk/files
  ./trimtab lab disk down /var/tmp/disk

A thread reads 64 KiB at random, past the page cache, so many times a second for ten seconds, beside
so many processes that compute. Needs root, for kernel.task_delayacct, which it puts back, and for a
control group of version 2 with pressure stall information, if there is one, which it removes.
"""
import mmap
import os
import platform
import random
import signal
import subprocess
import sys
import time

BLOCK = 64 << 10
BLOCKS = 12_800
SECONDS = 10
RUNS = 3
SWITCH = "/proc/sys/kernel/task_delayacct"
TREES = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"]


def read_text(path):
    with open(path) as file:
        return file.read().strip()


def write_text(path, text):
    with open(path, "w") as file:
        file.write(text)


def group():
    """A new group of version 2, or nothing where there is no such tree."""
    for tree in TREES:
        if os.path.exists(tree + "/cgroup.controllers"):
            made = "%s/trimtab-waits-%d" % (tree, os.getpid())
            os.mkdir(made)
            return made
    return None


def accounted():
    """Field 42 of the main thread's stat, in seconds."""
    stat = read_text("/proc/self/task/%d/stat" % os.getpid())
    return int(stat[stat.rindex(")") + 2:].split()[39]) / os.sysconf("SC_CLK_TCK")


def pressure(folder):
    try:
        return int(read_text(folder + "/io.pressure").split()[4].split("=")[1]) / 1e6
    except (TypeError, OSError):
        return float("nan")


def reader(path, rate, folder):
    """In a process of its own, which was started after the switch was on."""
    if folder:
        write_text(folder + "/cgroup.procs", str(os.getpid()))
    file = os.open(path, os.O_RDONLY | os.O_DIRECT)
    into = mmap.mmap(-1, BLOCK)
    places = random.Random(5)
    before, pressed, own, reads = accounted(), pressure(folder), 0.0, 0
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        begun = time.perf_counter()
        os.preadv(file, [into], places.randrange(BLOCKS) * BLOCK)
        took = time.perf_counter() - begun
        own += took
        reads += 1
        time.sleep(max(0.0, 1 / rate - took))
    print("| %d | %s | %d | %.2f | %.2f | %.2f |" % (
        rate, os.environ["COMPUTE"], reads, own, accounted() - before, pressure(folder) - pressed),
          flush=True)


def computes():
    child = os.fork()
    if child == 0:
        while True:
            pass
    return child


def main(folder):
    path = os.path.join(folder, "reads")
    with open(path, "wb") as file:
        for _ in range(BLOCKS // 16):
            file.write(os.urandom(16 * BLOCK))
        os.fsync(file.fileno())
    found = read_text(SWITCH)
    pressed = group()
    try:
        write_text(SWITCH, "1")
        print("Linux %s, %d processors, %s" % (
            platform.release(), os.cpu_count(), time.strftime("%Y-%m-%d")))
        print("| reads/s asked | compute | reads | waited, own clock, s | accounted, s | pressure, s |")
        print("|---|---|---|---|---|---|", flush=True)
        for run in range(RUNS):
            for compute in (0, 2, 4):
                for rate in (5, 50):
                    others = [computes() for _ in range(compute)]
                    try:
                        subprocess.run(
                            [sys.executable, __file__, folder, str(rate), pressed or ""],
                            env=dict(os.environ, COMPUTE=str(compute)), check=True)
                    finally:
                        for pid in others:
                            os.kill(pid, signal.SIGKILL)
                            os.waitpid(pid, 0)
    finally:
        write_text(SWITCH, found)
        os.remove(path)
        if pressed:
            os.rmdir(pressed)


if __name__ == "__main__":
    if len(sys.argv) == 4:
        reader(os.path.join(sys.argv[1], "reads"), float(sys.argv[2]), sys.argv[3] or None)
    elif len(sys.argv) == 2 and os.path.isdir(sys.argv[1]) and os.geteuid() == 0:
        main(sys.argv[1])
    else:
        sys.exit("as root: reads.py FOLDER, of a disk of `trimtab lab disk up`")

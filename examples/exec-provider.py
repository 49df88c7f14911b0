#!/usr/bin/env python3
"""A program for Trimtab's provider `exec` (docs/providers.md): nodes of a fixed list, which three
commands start, stop and look at. A command may be anything that a shell runs: systemctl through
ssh, ansible-playbook -l "$HOST", terraform apply.

  provider:
    exec:
      program: exec-provider.py
      arguments: [exec-provider.json]

The configuration file is JSON:

  {"folder": "/var/lib/trimtab-nodes",
   "nodes": ["node4.example:16020", "node5.example:16020"],
   "start": "scp \"$PROFILE\" $HOST:/etc/hbase/profile.json && ssh $HOST sudo systemctl start hbase",
   "stop": "ssh $HOST sudo systemctl stop hbase",
   "running": "ssh $HOST systemctl is-active --quiet hbase",
   "price": 0.38, "bootSeconds": 60}

Commands find NODE (host:port), HOST, PORT, DEAD (host:port of the node that this one replaces, or
empty), TOKENS (with commas, or empty) and PROFILE (a JSON file) in their environment. They must be
able to run twice: a request whose answer nobody heard comes again.

Who started which node for which request is in FOLDER/state.json, and is written before the node is
started. A node that was removed keeps its data and is not used again, until an operator deletes its
entry there.
"""
import datetime
import fcntl
import json
import os
import subprocess
import sys

FAILED, NO_MACHINE = 1, 3


class Nodes:
    def __init__(self, config):
        self.config = config
        self.folder = config["folder"]
        self.file = os.path.join(self.folder, "state.json")
        self.state = {}
        if os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as stored:
                self.state = json.load(stored)

    def save(self):
        fresh = self.file + ".new"
        with open(fresh, "w", encoding="utf-8") as out:
            json.dump(self.state, out, indent=1)
            out.flush()
            os.fsync(out.fileno())
        os.rename(fresh, self.file)

    def profile(self, node):
        return os.path.join(self.folder, node + ".json")

    def persist(self, node, profile):
        with open(self.profile(node), "w", encoding="utf-8") as out:
            json.dump(profile, out, indent=1)

    def command(self, name, node):
        entry = self.state.get(node, {})
        host, port = node.rsplit(":", 1)
        environment = dict(
            os.environ,
            NODE=node,
            HOST=host,
            PORT=port,
            FOLDER=self.folder,
            PROFILE=self.profile(node),
            DEAD=entry.get("dead", ""),
            TOKENS=",".join(str(token) for token in entry.get("tokens", [])),
        )
        # Its output is for the operator: standard output is the answer's.
        return subprocess.run(
            self.config[name], shell=True, env=environment, stdin=subprocess.DEVNULL,
            stdout=sys.stderr, check=False).returncode

    def running(self, node):
        return self.command("running", node) == 0

    def must(self, name, node):
        code = self.command(name, node)
        if code != 0:
            fail("the command %s of node %s has failed with exit code %d" % (name, node, code))

    def start(self, node):
        if not self.running(node):
            self.must("start", node)
        if not self.running(node):
            fail("node %s does not run after its start" % node)

    def stop(self, node):
        if self.running(node):
            self.must("stop", node)
        if self.running(node):
            fail("node %s still runs after its stop" % node)

    def free(self):
        return [n for n in self.config["nodes"] if n not in self.state and not self.running(n)]

    def of(self, request):
        for node, entry in self.state.items():
            if entry["request"] == request and not entry.get("retired"):
                return node
        return None

    def cluster(self, node, unknown):
        return self.state.get(node, {}).get("cluster", unknown)

    def known(self, node, cluster):
        if node not in self.config["nodes"]:
            fail("node %s is not in the list of nodes" % node)
        if self.cluster(node, cluster) != cluster:
            fail("node %s is another cluster's" % node)
        return node


def fail(problem, code=FAILED):
    print(problem, file=sys.stderr)
    sys.exit(code)


def add(nodes, asked):
    node = nodes.of(asked["request"])
    if node is None:
        # The dead node itself is taken away when another serves in its place.
        free = [n for n in nodes.free() if n != asked.get("dead")]
        if not free:
            fail("all %d nodes are in use" % len(nodes.config["nodes"]), NO_MACHINE)
        node = free[0]
        nodes.persist(node, asked["profile"])
        nodes.state[node] = {
            "request": asked["request"],
            "cluster": asked["cluster"],
            "since": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "dead": asked.get("dead", ""),
            "tokens": asked.get("tokens", []),
        }
        nodes.save()
    nodes.start(node)
    return {"request": asked["request"], "node": node}


def remove(nodes, asked):
    node = asked.get("node") or asked.get("machine")
    # One that it never knew has been given back already, or is somebody else's.
    if node in nodes.config["nodes"]:
        nodes.stop(node)
        entry = nodes.state.setdefault(node, {"request": "", "cluster": asked["cluster"]})
        entry["retired"] = True
        nodes.save()
    return {}


def restart(nodes, asked):
    node = nodes.known(asked["node"], asked["cluster"])
    nodes.stop(node)
    nodes.start(node)
    return {}


def persist(nodes, asked):
    nodes.persist(nodes.known(asked["node"], asked["cluster"]), asked["profile"])
    return {}


def capacity(nodes, asked):
    cluster = asked["cluster"]
    # What is not in the list, or is another cluster's, goes on as it is.
    own = [n for n in nodes.config["nodes"] if nodes.cluster(n, cluster) == cluster]
    answer = {
        "spare": len(nodes.free()),
        "quota": len(nodes.config["nodes"]),
        "removable": own,
        "reconfigurable": own,
    }
    for name in ("price", "bootSeconds"):
        if name in nodes.config:
            answer[name] = nodes.config[name]
    return answer


def machines(nodes, asked):
    return {
        "machines": [
            {
                "name": node,
                "node": node,
                "request": entry["request"],
                "since": entry["since"],
                "state": "running" if nodes.running(node) else "stopped",
            }
            for node, entry in sorted(nodes.state.items())
            if entry["cluster"] == asked["cluster"] and entry["request"] and not entry.get("retired")
        ]
    }


VERBS = {
    "capacity": capacity,
    "list": machines,
    "add": add,
    "replace": add,
    "remove": remove,
    "restart": restart,
    "persist": persist,
}


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in VERBS:
        fail("usage: exec-provider.py CONFIG.json " + "|".join(sorted(VERBS)), 2)
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, sys.argv[1]), encoding="utf-8") as file:
        config = json.load(file)
    asked = json.load(sys.stdin)
    if asked.get("format") != 1:
        fail("requests of format %s are not known" % asked.get("format"), 2)
    os.makedirs(config["folder"], exist_ok=True)
    with open(os.path.join(config["folder"], "lock"), "w", encoding="utf-8") as lock:
        # Two requests at once must not get the same node.
        fcntl.flock(lock, fcntl.LOCK_EX)
        print(json.dumps(VERBS[sys.argv[2]](Nodes(config), asked)))


main()

package io.trimtab.simulator.replicas;

import picocli.CommandLine.Command;

/** Simulations of a database's own parts. */
@Command(
    name = "sim",
    description = "Simulates parts of a database.",
    footer = {"", "Examples:", "  trimtab sim replicas --ranking oracle,trimtab,c3,random"},
    subcommands = ReplicasCommand.class)
public final class SimCommand {}

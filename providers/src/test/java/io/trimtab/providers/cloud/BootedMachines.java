package io.trimtab.providers.cloud;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What runs on a cloud's machines in tests: a process on each that the cloud's API says is running.
 * A machine starts it when it boots, with the profile of its marks, and never again by itself.
 */
public final class BootedMachines implements AutoCloseable {
  private final Map<String, Booted> byMachine = new HashMap<>();
  private boolean boots = true;
  private long starts;

  /**
   * A process on a machine.
   *
   * @param boot how often the machine had been rebooted
   * @param number differs after each start of any process
   */
  private record Booted(
      NodeId node, long boot, long number, Process process, Optional<Profile> profile) {}

  /**
   * A machine that runs.
   *
   * @param boot how often it was rebooted
   */
  public record Running(String id, NodeId node, long boot, Map<String, String> marks) {}

  /** Whether machines start anything when they boot. */
  public synchronized void boot(boolean anything) {
    boots = anything;
  }

  /**
   * What has become of the machines.
   *
   * @param running all that run now
   */
  public synchronized void look(Collection<Running> running) {
    Map<String, Running> now =
        running.stream().collect(Collectors.toMap(Running::id, machine -> machine));
    for (String machine : new HashSet<>(byMachine.keySet())) {
      Booted booted = byMachine.get(machine);
      if (!now.containsKey(machine) || now.get(machine).boot() != booted.boot()) {
        end(booted.process());
        byMachine.remove(machine);
      }
    }
    for (Running machine : running) {
      if (boots && !byMachine.containsKey(machine.id())) {
        starts++;
        byMachine.put(
            machine.id(),
            new Booted(machine.node(), machine.boot(), starts, process(), profile(machine)));
      }
    }
  }

  private static Process process() {
    try {
      return new ProcessBuilder("sleep", "1000").start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void end(Process process) {
    process.destroyForcibly();
    process.onExit().join();
  }

  private static Optional<Profile> profile(Running machine) {
    return Profile.STANDARD.stream()
        .filter(
            profile ->
                profile.name().equals(machine.marks().get("trimtab-profile"))
                    && String.valueOf(profile.cacheFraction())
                        .equals(machine.marks().get("trimtab-cache")))
        .findFirst();
  }

  /** The nodes whose process lives, with its number. */
  public synchronized Map<NodeId, Long> alive() {
    Map<NodeId, Long> alive = new TreeMap<>();
    byMachine.values().stream()
        .filter(booted -> booted.process().isAlive())
        .forEach(booted -> alive.put(booted.node(), booted.number()));
    return alive;
  }

  /** The profile that a node's process was started with. */
  public synchronized Optional<Profile> profile(NodeId node) {
    return byMachine.values().stream()
        .filter(booted -> booted.node().equals(node))
        .findFirst()
        .flatMap(Booted::profile);
  }

  /** A node's process dies; its machine runs on. */
  public synchronized void kill(NodeId node) {
    Set<Booted> its =
        byMachine.values().stream()
            .filter(booted -> booted.node().equals(node))
            .collect(Collectors.toSet());
    its.forEach(booted -> end(booted.process()));
  }

  @Override
  public synchronized void close() {
    byMachine.values().forEach(booted -> end(booted.process()));
    byMachine.clear();
  }
}

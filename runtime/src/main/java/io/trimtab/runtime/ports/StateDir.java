package io.trimtab.runtime.ports;

import io.trimtab.config.Home;
import io.trimtab.config.UserError;
import io.trimtab.runtime.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A folder with a controller's persistent state of one cluster, through which other processes on
 * this machine can request a stop.
 */
public final class StateDir implements ClusterState {
  private final Path folder;

  private StateDir(Path folder) {
    this.folder = folder;
  }

  /** The folder of a cluster, in {@link Home}. */
  public static StateDir of(String clusterId) {
    return new StateDir(Home.folder().resolve("clusters").resolve(clusterId));
  }

  /** The folders of all clusters that this user's controllers have observed, latest first. */
  public static List<StateDir> all() {
    Path clusters = Home.folder().resolve("clusters");
    if (!Files.isDirectory(clusters)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(clusters)) {
      return folders
          .filter(Files::isDirectory)
          .sorted(Comparator.comparing(Journal::lastWritten).reversed())
          .map(StateDir::new)
          .toList();
    } catch (IOException e) {
      throw new UserError(clusters + ": can't be read: " + e.getMessage(), e);
    }
  }

  public Path folder() {
    return folder;
  }

  /** The cluster's own id. */
  public String clusterId() {
    return folder.getFileName().toString();
  }

  private Path stop() {
    return folder.resolve("stop");
  }

  private Path controller() {
    return folder.resolve("controller");
  }

  /** Deletes all state of the cluster; no controller may be running. */
  public void forget() {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UserError(folder + ": can't be cleared: " + e.getMessage(), e);
    }
  }

  @Override
  public void register() {
    try {
      Files.createDirectories(folder);
      Files.deleteIfExists(stop());
      Files.writeString(controller(), Long.toString(SystemPorts.PROCESSES.own()));
    } catch (IOException e) {
      throw new UserError(folder + ": can't be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void unregister() {
    try {
      Files.deleteIfExists(controller());
      Files.deleteIfExists(stop());
    } catch (IOException e) {
      throw new UserError(folder + ": can't be written: " + e.getMessage(), e);
    }
  }

  @Override
  public boolean stopAsked() {
    return Files.exists(stop());
  }

  /** The process id of the controller that runs on this machine. */
  public Optional<Long> runningController() {
    try {
      long pid = Long.parseLong(Files.readString(controller()).strip());
      return SystemPorts.PROCESSES.alive(pid) ? Optional.of(pid) : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Requests a stop of the running controller and waits for it.
   *
   * @return whether it has stopped within the limit; true if none is running
   */
  public boolean stopController(Duration limit) throws InterruptedException {
    if (runningController().isEmpty()) {
      return true;
    }
    try {
      Files.writeString(stop(), "stop");
    } catch (IOException e) {
      throw new UserError(stop() + ": can't be written: " + e.getMessage(), e);
    }
    boolean inVain = SystemPorts.WAITER.pause(limit, () -> runningController().isEmpty());
    if (SystemPorts.WAITER.interrupted()) {
      throw new InterruptedException("interrupted while a controller was asked to stop");
    }
    return !inVain;
  }

  @Override
  public Journal journal() {
    return Journal.open(folder);
  }

  @Override
  public Journal dryJournal() {
    return Journal.dry(folder);
  }
}

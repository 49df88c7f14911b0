package io.trimtab.runtime.ports;

import io.trimtab.config.Home;
import io.trimtab.config.UserError;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
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
  private static final String UNDO = "stop and undo";

  private final Path folder;

  private StateDir(Path folder) {
    this.folder = folder;
  }

  /** The folder of a cluster, in {@link Home}. */
  public static StateDir of(String clusterId) {
    return new StateDir(Home.folder().resolve("clusters").resolve(fileName(clusterId)));
  }

  /** A cluster's id comes from the cluster, and must not lead out of the folder. */
  private static String fileName(String clusterId) {
    String name = clusterId.replaceAll("[^A-Za-z0-9._-]", "_");
    return name.matches("\\.*") ? "_" + name : name;
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
          .map(StateDir::new)
          .sorted(Comparator.comparing((StateDir s) -> s.journals().lastWritten()).reversed())
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
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(folder)) {
          Files.delete(file);
        }
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
      Files.writeString(
          controller(), SystemPorts.PROCESSES.own() + "\n" + SystemPorts.PROCESSES.space());
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

  @Override
  public boolean undoAsked() {
    return stopLine(0).equals(UNDO);
  }

  @Override
  public String stopAskedBy() {
    return stopLine(1);
  }

  /** What is asked for, and by whom; versions before wrote only the first. */
  private String stopLine(int number) {
    try {
      List<String> lines = Files.exists(stop()) ? Files.readAllLines(stop()) : List.of();
      return number < lines.size() ? lines.get(number) : "";
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * The process id of the controller that uses this folder; also of one whose process can't be seen
   * from here, in another container.
   */
  public Optional<Long> runningController() {
    try {
      String[] lines = Files.readString(controller()).strip().split("\n", 2);
      long pid = Long.parseLong(lines[0]);
      boolean elsewhere = lines.length > 1 && !lines[1].equals(SystemPorts.PROCESSES.space());
      return elsewhere || SystemPorts.PROCESSES.alive(pid) ? Optional.of(pid) : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Requests a stop of the controller that uses this folder; it looks for that all the time. */
  public void requestStop(boolean undo) {
    try {
      Files.writeString(stop(), (undo ? UNDO : "stop") + "\n" + SystemPorts.requester() + "\n");
    } catch (IOException e) {
      throw new UserError(stop() + ": can't be written: " + e.getMessage(), e);
    }
  }

  /**
   * Requests a stop of the running controller and waits for it.
   *
   * @param undo whether it also undoes what goes on inside the database
   * @return whether it has stopped within the limit; true if none is running
   */
  public boolean stopController(Duration limit, boolean undo) throws InterruptedException {
    if (runningController().isEmpty()) {
      return true;
    }
    requestStop(undo);
    boolean inVain = SystemPorts.WAITER.pause(limit, () -> runningController().isEmpty());
    if (SystemPorts.WAITER.interrupted()) {
      throw new InterruptedException("interrupted while a controller was asked to stop");
    }
    return !inVain;
  }

  /** The files of the cluster's journal. */
  public JournalFiles journals() {
    return new JournalFiles(folder);
  }

  @Override
  public Journal journal(long epoch, JournalState known) {
    return journals().begin(epoch, known);
  }

  @Override
  public List<Entry> recorded() {
    return journals().acted();
  }

  @Override
  public Journal dryJournal() {
    return journals().dry();
  }
}

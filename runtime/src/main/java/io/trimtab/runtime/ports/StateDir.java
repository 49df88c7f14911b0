package io.trimtab.runtime.ports;

import io.trimtab.config.FileProblem;
import io.trimtab.config.Home;
import io.trimtab.config.UserError;
import io.trimtab.controller.observe.LoadRecord;
import io.trimtab.formats.LoadRecordFile;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A folder with a controller's persistent state of one cluster, through which other processes on
 * this machine can request a stop.
 */
public final class StateDir implements ClusterState {
  private final Path folder;
  private final Registrations registrations;

  private StateDir(Path folder) {
    this(folder, SystemPorts.PROCESSES);
  }

  StateDir(Path folder, ControllerProcesses processes) {
    this.folder = folder;
    this.registrations = new Registrations(folder.resolve("controllers"), processes);
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
      throw new UserError(clusters + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  public Path folder() {
    return folder;
  }

  /** The cluster's own id. */
  public String clusterId() {
    return folder.getFileName().toString();
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
      throw new UserError(folder + ": can't be cleared: " + FileProblem.of(e), e);
    }
  }

  private UserError notWritten(IOException e) {
    return new UserError(folder + ": can't be written: " + FileProblem.of(e), e);
  }

  @Override
  public void register() {
    try {
      registrations.register();
    } catch (IOException e) {
      throw notWritten(e);
    }
  }

  @Override
  public void unregister() {
    try {
      registrations.unregister();
    } catch (IOException e) {
      throw notWritten(e);
    }
  }

  @Override
  public boolean stopAsked() {
    return registrations.stopAsked();
  }

  @Override
  public boolean undoAsked() {
    return registrations.undoAsked();
  }

  @Override
  public String stopAskedBy() {
    return registrations.stopAskedBy();
  }

  /**
   * The process ids of the controllers that use this folder, acting or waiting; also of those whose
   * processes can't be seen from here, in another container.
   */
  public List<Long> runningControllers() {
    return registrations.living().stream().map(Registrations.Registered::id).toList();
  }

  /**
   * Requests a stop of all controllers that use this folder.
   *
   * @param undo whether they also undo what goes on inside the database
   * @return the request, to wait for what becomes of it
   */
  public StopRequest requestStop(boolean undo) {
    List<Registrations.Registered> asked = registrations.living();
    try {
      for (Registrations.Registered process : asked) {
        registrations.requestStop(process, undo, SystemPorts.requester());
      }
    } catch (IOException e) {
      throw notWritten(e);
    }
    return new StopRequest(asked);
  }

  /** A stop request, and the controllers that were asked. */
  public final class StopRequest {
    private final List<Registrations.Registered> asked;

    private StopRequest(List<Registrations.Registered> asked) {
      this.asked = asked;
    }

    /** Process ids of those that have not ended yet. */
    public List<Long> left() {
      return registrations.living().stream()
          .filter(asked::contains)
          .map(Registrations.Registered::id)
          .toList();
    }

    /** Their process ids. */
    public List<Long> controllers() {
      return asked.stream().map(Registrations.Registered::id).toList();
    }
  }

  /** What the last controller could not put back at its end, as it has recorded last. */
  public Optional<String> leftUndone() {
    List<Entry> recorded = recorded();
    return recorded.isEmpty()
            || !(recorded.get(recorded.size() - 1) instanceof Entry.Held held)
            || !held.by().equals(Entry.CLEAN_UP)
        ? Optional.empty()
        : Optional.of(held.reason());
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
  public Map<String, Long> written(long epoch) {
    return journals().written(epoch);
  }

  @Override
  public List<Entry> recorded() {
    return journals().acted();
  }

  private Path loadFile() {
    return folder.resolve("load.json");
  }

  @Override
  public LoadRecord loadRecord() {
    if (!Files.exists(loadFile())) {
      return LoadRecord.NOTHING;
    }
    try {
      return LoadRecordFile.read(loadFile());
    } catch (UserError e) {
      Path aside = folder.resolve("load.json.unreadable");
      try {
        // It may be of a later version: what is recorded from now on must not replace it.
        Files.move(loadFile(), aside, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException moving) {
        throw notWritten(moving);
      }
      throw new UserError(e.getMessage() + "; it is kept as " + aside, e);
    }
  }

  @Override
  public void keep(LoadRecord record) {
    LoadRecordFile.write(loadFile(), record);
  }

  @Override
  public Journal dryJournal(JournalState known) {
    return journals().dry(known);
  }
}

package io.trimtab.runtime.ports;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The processes that act on one cluster, or wait to: a file each, beside which whoever wants it to
 * end puts another. Nobody deletes those of a process that lives, so that one which was frozen and
 * wakes does not take away its successor's.
 *
 * <p>A process locks its file while it lives: unlike a process id, that is also right in another
 * container, after a restart of the machine, and when the id is used again.
 */
final class Registrations {
  private static final String STOP = ".stop";
  private static final String UNDO = "stop and undo";
  private static final String LOCKED = "locked";

  private final Path folder;
  private final ControllerProcesses processes;
  private Optional<Own> own = Optional.empty();

  /** This process's; closing the channel ends the lock. */
  private record Own(Path file, FileChannel channel) {}

  /**
   * @param folder need not exist
   */
  Registrations(Path folder, ControllerProcesses processes) {
    this.folder = folder;
    this.processes = processes;
  }

  /**
   * A registered process.
   *
   * @param file its registration
   * @param id its process id, which means nothing outside of its space
   */
  record Registered(Path file, long id) {}

  private static Path stop(Path file) {
    return file.resolveSibling(file.getFileName() + STOP);
  }

  /** Registers this process, and clears away what killed ones left. */
  synchronized void register() throws IOException {
    unregister();
    // The journal of this process comes into a folder beside it.
    FileJournalStore.makeFolder(folder);
    for (Path file : files()) {
      if (read(file).filter(lines -> !lives(file, lines)).isPresent()) {
        delete(file);
      }
    }
    // With the time, because process ids are used again, and others wait for this name to go.
    String name = processes.own() + "-" + Long.toHexString(SystemPorts.TIME.nanos());
    Path file = folder.resolve(name);
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    own = Optional.of(new Own(file, channel));
    boolean locked;
    try {
      locked = channel.tryLock() != null;
    } catch (IOException e) {
      // Some file systems of a network have no locks; its process id has to do.
      locked = false;
    }
    String text = processes.own() + "\n" + processes.space() + "\n" + (locked ? LOCKED : "");
    channel.write(StandardCharsets.UTF_8.encode(text));
  }

  /** Ends this process's registration; others stay. */
  synchronized void unregister() throws IOException {
    if (own.isPresent()) {
      delete(own.get().file());
      own.get().channel().close();
      own = Optional.empty();
    }
  }

  private static void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.deleteIfExists(stop(file));
  }

  /** Whether this process was asked to end. */
  synchronized boolean stopAsked() {
    return own.filter(o -> Files.exists(stop(o.file()))).isPresent();
  }

  /** Whether it was also asked to undo. */
  synchronized boolean undoAsked() {
    return stopLine(0).equals(UNDO);
  }

  /** Who asked it to end; empty if that is not known. */
  synchronized String stopAskedBy() {
    return stopLine(1);
  }

  /** What is asked for, and by whom; versions before wrote only the first. */
  private String stopLine(int number) {
    try {
      List<String> lines =
          stopAsked() ? Files.readString(stop(own.get().file())).lines().toList() : List.of();
      return number < lines.size() ? lines.get(number) : "";
    } catch (IOException e) {
      return "";
    }
  }

  /** Those that live. */
  List<Registered> living() {
    List<Registered> living = new ArrayList<>();
    try {
      for (Path file : files()) {
        read(file)
            .filter(lines -> lives(file, lines))
            .ifPresent(lines -> living.add(new Registered(file, Long.parseLong(lines.get(0)))));
      }
    } catch (IOException e) {
      return List.of();
    }
    return living;
  }

  /**
   * Asks a process to end; it looks for that all the time.
   *
   * @param by who asks, for the journal
   */
  void requestStop(Registered process, boolean undo, String by) throws IOException {
    Path asked = stop(process.file());
    Path draft = asked.resolveSibling(asked.getFileName() + ".new");
    // In one step: it may look between a file's creation and its content.
    Files.writeString(draft, (undo ? UNDO : "stop") + "\n" + by + "\n");
    Files.move(draft, asked, StandardCopyOption.REPLACE_EXISTING);
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> !file.getFileName().toString().contains(".")).sorted().toList();
    }
  }

  /** Its lines; empty while it is being written, or was deleted. */
  private static Optional<List<String>> read(Path file) {
    try {
      List<String> lines = Files.readString(file).lines().toList();
      return Optional.of(lines).filter(l -> l.size() >= 2 && l.get(0).matches("\\d{1,18}"));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private boolean lives(Path file, List<String> lines) {
    if (lines.size() > 2 && lines.get(2).equals(LOCKED)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
          FileLock lock = channel.tryLock()) {
        return lock == null;
      } catch (OverlappingFileLockException e) {
        // Its process is this one.
        return true;
      } catch (NoSuchFileException e) {
        return false;
      } catch (IOException e) {
        return lives(lines);
      }
    }
    return lives(lines);
  }

  /** By its process id, where that means something. */
  private boolean lives(List<String> lines) {
    return !lines.get(1).equals(processes.space()) || processes.alive(Long.parseLong(lines.get(0)));
  }
}

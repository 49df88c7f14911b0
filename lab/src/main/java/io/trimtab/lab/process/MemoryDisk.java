package io.trimtab.lab.process;

import io.trimtab.config.Bytes;
import io.trimtab.config.FileProblem;
import io.trimtab.config.Home;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A disk in memory for labs: each read takes as long as was asked for, and no two are served at the
 * same time, as by a disk that rotates. How long a node waits for it can be measured, and does not
 * depend on what else the machine's disk does (decision 0050).
 *
 * <p>nbdkit keeps the bytes and the time, nbdfuse makes a file of them, and the kernel a disk of
 * the file. They stay until {@link #remove}, whatever becomes of the process that started them.
 */
public final class MemoryDisk {
  /** Less has no room for a file system. */
  public static final Bytes SIZE_MIN = Bytes.parse("64m");

  /** Memory that is left to all else: a kernel that has to write to the disk must get some. */
  private static final long LEFT_BYTES = 2L << 30;

  private static final Duration READ_MIN = Duration.ofMillis(1);
  private static final Duration READ_MAX = Duration.ofSeconds(1);
  private static final long MIB = 1L << 20;

  private static final String NOTE = "disk.txt";

  /** What its description begins with. */
  private static final String KIND = "in memory, ";

  private final Path folder;
  private final DiskTools tools;
  private final DiskServer server;

  /**
   * @param programs where a program is, by its name
   */
  MemoryDisk(Path folder, Function<String, Optional<Path>> programs) {
    this.folder = real(folder.toAbsolutePath().normalize());
    this.tools = new DiskTools(this.folder, programs);
    this.server = new DiskServer(this.folder, tools);
  }

  /** The kernel tells of mounts without symbolic links. */
  private static Path real(Path place) {
    try {
      return Files.exists(place) || place.getParent() == null
          ? place.toRealPath()
          : real(place.getParent()).resolve(place.getFileName());
    } catch (IOException e) {
      throw new UserError(place + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  /**
   * Makes a disk with an empty file system; needs root.
   *
   * @param folder that is not there yet, in one that is
   * @param size whole MiB, at least {@link #SIZE_MIN}; memory is taken as it is written to, and
   *     given back with the disk only
   * @param read what a read takes, in [1 ms, 1 s]; the ways to the disk and back take about 0.6 ms
   *     in addition
   * @throws UserError also where anything fails; nothing of it is left then
   */
  public static MemoryDisk make(Path folder, Bytes size, Duration read) {
    MemoryDisk disk = new MemoryDisk(folder, Programs::find);
    disk.check(size, read, Memory.availableBytes());
    root();
    disk.make(size, read);
    return disk;
  }

  /**
   * Removes a disk and all that is on it. One whose processes have died, or that was made in part
   * only, too.
   *
   * @throws UserError where there is none, or it is in use
   */
  public static void remove(Path folder) {
    MemoryDisk disk = new MemoryDisk(folder, Programs::find);
    if (!Files.exists(disk.note())) {
      throw new UserError(disk.folder + ": no disk of `trimtab lab disk up` is there");
    }
    disk.requireNotHome();
    root();
    disk.requireNoLabs();
    disk.remove();
  }

  /**
   * What a disk is, in words, if it is one of these.
   *
   * @param device {@code major:minor}
   */
  static Optional<String> describe(String device) {
    return describe(device, Path.of("/sys/dev/block"));
  }

  static Optional<String> describe(String device, Path sysDevBlock) {
    try {
      Path backing = sysDevBlock.resolve(device).resolve("loop").resolve("backing_file");
      Path file = Path.of(Files.readString(backing).strip());
      String its = Files.readString(file.resolveSibling(NOTE)).strip();
      return Optional.of(its).filter(text -> DiskServer.isDevice(file) && text.startsWith(KIND));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The root of its file system. */
  public Path files() {
    return folder.resolve("files");
  }

  /** What it is, in words. */
  public String describe() {
    try {
      return Files.readString(note()).strip();
    } catch (IOException e) {
      throw new UserError(note() + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  private Path note() {
    return folder.resolve(NOTE);
  }

  /**
   * Refuses what can't be made, before anything is.
   *
   * @param available memory, bytes
   */
  void check(Bytes size, Duration read, long available) {
    if (Files.exists(note())) {
      throw new UserError(
          folder + ": a disk is there already; remove it with: trimtab lab disk down " + folder);
    }
    requireNotHome();
    if (Files.exists(folder)) {
      throw new UserError(folder + ": exists already; a disk needs a new folder");
    }
    if (size.value() < SIZE_MIN.value() || size.value() % MIB != 0) {
      throw new UserError("--size: must be whole MiB, at least " + SIZE_MIN + ", not " + size);
    }
    if (read.compareTo(READ_MIN) < 0 || read.compareTo(READ_MAX) > 0) {
      throw new UserError("--read: must be from 1 ms to 1 s, not " + read.toMillis() + " ms");
    }
    tools.requireAll();
    if (size.value() > available - LEFT_BYTES) {
      throw new UserError(
          "not enough memory for a disk of %s: %s are available, of which %s must be left"
              .formatted(
                  Bytes.human(size.value()), Bytes.human(available), Bytes.human(LEFT_BYTES)));
    }
  }

  /** This process's own log would be on the disk, and keep it from being removed. */
  private void requireNotHome() {
    if (real(Home.folder().normalize()).startsWith(folder)) {
      throw new UserError(
          "TRIMTAB_HOME is on the disk " + folder + ", and this command's log with it; unset it");
    }
  }

  private static void root() {
    try {
      if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
        throw new UserError("a disk in memory needs root: it is mounted");
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new UserError("a disk in memory needs Linux: it is one of the kernel's", e);
    }
  }

  /** Of what was checked. */
  void make(Bytes size, Duration read) {
    try {
      // Of two at the same time one does so.
      Files.createDirectory(folder);
    } catch (IOException e) {
      throw new UserError(folder + ": can't be made: " + e, e);
    }
    Thread hook = new Thread(this::clear, "disk-clean-up");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      // By it `remove` knows what is one of these, however far this comes.
      Files.writeString(note(), KIND + "%d ms a read, one at a time\n".formatted(read.toMillis()));
      Files.createDirectory(files());
      String loop = server.start(size, read);
      // The whole file system is made now: what is left for later is written beside a measurement.
      tools.run("mkfs.ext4", "-q", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", loop);
      tools.run("mount", "-o", "noatime", loop, files().toString());
      // The kernel lets go of it by itself, once it is mounted no more.
      tools.run("losetup", "--detach", loop);
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IOException e) {
      throw cleared(hook, new UserError(folder + ": can't be written: " + FileProblem.of(e), e));
    } catch (UserError e) {
      throw cleared(hook, e);
    }
  }

  /** As its maker ends before it is made; what this leaves, `disk down` tells. */
  private void clear() {
    try {
      remove();
    } catch (UserError e) {
      return;
    }
  }

  /** Takes away what is there of it; what went wrong first is what counts. */
  private UserError cleared(Thread hook, UserError failure) {
    boolean interrupted = Thread.interrupted();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
      remove();
    } catch (IllegalStateException e) {
      // The hook is at it.
      failure.addSuppressed(e);
    } catch (UserError e) {
      failure.addSuppressed(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return failure;
  }

  /** A lab whose processes have died keeps no file open, and its control groups would be left. */
  private void requireNoLabs() {
    List<String> labs = new ArrayList<>();
    try (Stream<Path> all = Files.list(files().resolve("labs"))) {
      all.filter(lab -> Files.exists(lab.resolve("state.json")))
          .forEach(lab -> labs.add(lab.getFileName().toString()));
    } catch (IOException e) {
      // None was ever there, or the disk can't be read any more.
      return;
    }
    if (!labs.isEmpty()) {
      throw new UserError(
          "%s: has the labs %s; remove them with: TRIMTAB_HOME='%s' trimtab lab down --all"
              .formatted(folder, String.join(", ", labs), files()));
    }
  }

  private synchronized void remove() {
    tools.unmount(files());
    server.stop();
    try {
      if (Files.exists(files())) {
        requireEmpty(files());
      }
      Files.deleteIfExists(files());
      server.forget();
      Files.deleteIfExists(note());
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UserError(folder + ": can't be removed: " + e, e);
    }
  }

  private static void requireEmpty(Path place) throws IOException {
    try (Stream<Path> all = Files.list(place)) {
      if (all.findAny().isPresent()) {
        throw new UserError(
            place
                + ": no disk is mounted there, as after a restart of the machine, but it has"
                + " files; move them away");
      }
    }
  }
}

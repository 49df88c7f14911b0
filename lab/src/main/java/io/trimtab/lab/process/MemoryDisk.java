package io.trimtab.lab.process;

import io.trimtab.config.Bytes;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A disk in memory for labs: each read takes as long as was asked for, and no two are served at the
 * same time, as by a disk that rotates. What a miss costs is then the same at all times, which it
 * is not on a disk that other machines use too (decision 0050).
 *
 * <p>nbdkit keeps the bytes and the time, nbdfuse makes a file of them, and the kernel a disk of
 * the file. They stay until {@link #remove}, whatever becomes of the process that started them.
 */
public final class MemoryDisk {
  /** Less has no room for a file system. */
  public static final Bytes SIZE_MIN = Bytes.parse("64m");

  private static final Duration READ_MIN = Duration.ofMillis(1);
  private static final Duration READ_MAX = Duration.ofSeconds(1);
  private static final Duration START_LIMIT = Duration.ofSeconds(20);
  private static final Duration UNMOUNT_LIMIT = Duration.ofSeconds(3);
  private static final long POLL_MS = 50;
  private static final long MIB = 1L << 20;

  private static final String NOTE = "disk.txt";
  private static final String INSTALL =
      "install all that it needs: apt-get install nbdkit libnbd-bin fuse3 util-linux mount"
          + " e2fsprogs";
  private static final List<String> PROGRAMS =
      List.of(
          "nbdkit", "nbdfuse", "fusermount3", "setsid", "losetup", "mkfs.ext4", "mount", "umount");

  private final Path folder;
  private final Function<String, Optional<Path>> programs;

  /**
   * @param programs where a program is, by its name
   */
  MemoryDisk(Path folder, Function<String, Optional<Path>> programs) {
    this.folder = real(folder.toAbsolutePath().normalize());
    this.programs = programs;
  }

  /** The kernel tells of mounts without symbolic links. */
  private static Path real(Path place) {
    try {
      return Files.exists(place) || place.getParent() == null
          ? place.toRealPath()
          : real(place.getParent()).resolve(place.getFileName());
    } catch (IOException e) {
      throw new UserError(place + ": can't be read: " + e.getMessage(), e);
    }
  }

  /**
   * Makes a disk with an empty file system; needs root.
   *
   * @param folder that is empty or not there
   * @param size whole MiB, at least {@link #SIZE_MIN}; memory is taken as it is written to, and
   *     given back with the disk only
   * @param read what a read takes, in [1 ms, 1 s]; the ways to the disk and back take about 0.6 ms
   *     in addition
   * @throws UserError also where anything fails; nothing of it is left then
   */
  public static MemoryDisk make(Path folder, Bytes size, Duration read) {
    MemoryDisk disk = new MemoryDisk(folder, Programs::find);
    disk.check(size, read, Memory.availableBytes());
    disk.make(size, read);
    return disk;
  }

  /** Of what was checked. */
  void make(Bytes size, Duration read) {
    try {
      Files.createDirectories(folder);
      // By it `remove` knows what is one of these, however far this comes.
      Files.writeString(
          note(), "in memory, %d ms a read, one at a time\n".formatted(read.toMillis()));
      Files.createDirectory(files());
      Files.createFile(device());
      start(size, read);
    } catch (IOException e) {
      throw cleared(new UserError(folder + ": can't be written: " + e.getMessage(), e));
    } catch (UserError e) {
      throw cleared(e);
    }
  }

  /**
   * Removes a disk and all that is on it. One whose processes have died, or that was made in part
   * only, too.
   *
   * @throws UserError where there is none, or its files are in use
   */
  public static void remove(Path folder) {
    MemoryDisk disk = new MemoryDisk(folder, Programs::find);
    if (!Files.exists(disk.note())) {
      throw new UserError(disk.folder + ": no disk of `trimtab lab disk up` is there");
    }
    root();
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
      return Optional.of(Files.readString(file.resolveSibling(NOTE)).strip());
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
      throw new UserError(note() + ": can't be read: " + e.getMessage(), e);
    }
  }

  /** The whole disk as a file. */
  private Path device() {
    return folder.resolve("device");
  }

  private Path note() {
    return folder.resolve(NOTE);
  }

  /** Holds pid and start of the process that serves the file. */
  private Path pid() {
    return folder.resolve("device.pid");
  }

  private Path said() {
    return folder.resolve("device.out");
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
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new UserError(folder + ": not a folder");
    }
    try (Stream<Path> files = Files.exists(folder) ? Files.list(folder) : Stream.empty()) {
      if (files.findAny().isPresent()) {
        throw new UserError(folder + ": not empty; a disk needs a folder of its own");
      }
    } catch (IOException e) {
      throw new UserError(folder + ": can't be read: " + e.getMessage(), e);
    }
    if (size.value() < SIZE_MIN.value() || size.value() % MIB != 0) {
      throw new UserError("--size: must be whole MiB, at least " + SIZE_MIN + ", not " + size);
    }
    if (read.compareTo(READ_MIN) < 0 || read.compareTo(READ_MAX) > 0) {
      throw new UserError("--read: must be from 1 ms to 1 s, not " + read.toMillis() + " ms");
    }
    root();
    for (String program : PROGRAMS) {
      program(program);
    }
    if (size.value() > available) {
      throw new UserError(
          "not enough memory for a disk of %s: %s available"
              .formatted(Bytes.human(size.value()), Bytes.human(available)));
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

  private void start(Bytes size, Duration read) throws IOException {
    Process server =
        new ProcessBuilder(
                program("setsid"),
                program("nbdfuse"),
                device().toString(),
                "--command",
                program("nbdkit"),
                "--single",
                "memory",
                Long.toString(size.value()),
                "--filter=noparallel",
                "--filter=delay",
                "rdelay=" + read.toMillis() + "ms")
            .directory(Path.of("/").toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(said().toFile())
            .start();
    Files.writeString(pid(), server.pid() + " " + Processes.startTicks(server.pid()) + "\n");
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (!mounted(device()) || Files.size(device()) != size.value()) {
      if (!server.isAlive() || System.nanoTime() > end) {
        throw new UserError("nbdfuse does not serve " + device() + ": " + lastSaid());
      }
      Processes.sleep(POLL_MS);
    }
    String loop = run("losetup", "--find", "--show", "--direct-io=on", device().toString());
    // The whole file system is made now: what is left for later is written beside a measurement.
    run("mkfs.ext4", "-q", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", loop);
    run("mount", "-o", "noatime", loop, files().toString());
    // The kernel lets go of it by itself, once it is mounted no more.
    run("losetup", "--detach", loop);
  }

  private String lastSaid() throws IOException {
    List<String> lines = Files.readAllLines(said());
    return lines.isEmpty() ? "it says nothing" : lines.get(lines.size() - 1);
  }

  /** Takes away what is there of it; what went wrong first is what counts. */
  private UserError cleared(UserError failure) {
    try {
      remove();
    } catch (UserError e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private void remove() {
    unmount(files());
    for (String loop : loops()) {
      // The kernel may have been faster; what it still holds, the next step tells.
      var unused = Programs.run(List.of(program("losetup"), "--detach", loop), "", Map.of());
    }
    unmount(device());
    awaitEnd();
    try {
      for (Path file : List.of(files(), device(), pid(), said(), note())) {
        Files.deleteIfExists(file);
      }
      try (Stream<Path> others = Files.list(folder)) {
        if (others.findAny().isPresent()) {
          return;
        }
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UserError(folder + ": can't be removed: " + e.getMessage(), e);
    }
  }

  private List<String> loops() {
    return run("losetup", "--noheadings", "--output", "NAME", "--associated", device().toString())
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .toList();
  }

  /** The kernel may hold a place for a moment after who used it has ended. */
  private void unmount(Path place) {
    long end = System.nanoTime() + UNMOUNT_LIMIT.toNanos();
    while (mounted(place)) {
      Programs.Said said = Programs.run(List.of(program("umount"), place.toString()), "", Map.of());
      if (said.code() != 0 && System.nanoTime() > end) {
        throw new UserError(
            said.failure("umount")
                + "; a lab on it goes down with: trimtab lab down --all, with its"
                + " TRIMTAB_HOME");
      }
      Processes.sleep(said.code() == 0 ? 0 : POLL_MS);
    }
  }

  /** The process that served the file ends by itself, once it is mounted no more. */
  private void awaitEnd() {
    if (!Files.exists(pid())) {
      return;
    }
    try {
      String[] its = Files.readString(pid()).strip().split(" ");
      long end = System.nanoTime() + START_LIMIT.toNanos();
      while (its.length == 2 && Processes.startTicks(Long.parseLong(its[0])).equals(its[1])) {
        if (System.nanoTime() > end) {
          throw new UserError("nbdfuse, process " + its[0] + ", does not end");
        }
        Processes.sleep(POLL_MS);
      }
    } catch (IOException | NumberFormatException e) {
      throw new UserError(pid() + ": can't be read: " + e.getMessage(), e);
    }
  }

  private String run(String program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program(program)));
    command.addAll(List.of(arguments));
    Programs.Said said = Programs.run(command, "", Map.of());
    if (said.code() != 0) {
      throw new UserError(folder + ": " + said.failure(program));
    }
    return said.text();
  }

  private String program(String name) {
    return programs
        .apply(name)
        .map(Path::toString)
        .orElseThrow(() -> new UserError("a disk in memory needs " + name + "; " + INSTALL));
  }

  private static boolean mounted(Path place) {
    List<String> mounts = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
        mounts.add(line.split(" ")[4].replace("\\040", " "));
      }
    } catch (IOException e) {
      throw new UserError("/proc/self/mountinfo: can't be read: " + e.getMessage(), e);
    }
    return mounts.contains(place.toString());
  }
}

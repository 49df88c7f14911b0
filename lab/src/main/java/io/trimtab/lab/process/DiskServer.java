package io.trimtab.lab.process;

import io.trimtab.config.Bytes;
import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The process behind a disk in memory, the file that it makes, and the kernel's disk of it. */
final class DiskServer {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final long POLL_MS = 50;
  private static final String DEVICE = "device";

  private final Path folder;
  private final DiskTools tools;

  DiskServer(Path folder, DiskTools tools) {
    this.folder = folder;
    this.tools = tools;
  }

  /** The whole disk as a file. */
  private Path device() {
    return folder.resolve(DEVICE);
  }

  /** Whether a file may be one that {@link #start} has made. */
  static boolean isDevice(Path file) {
    return file.endsWith(DEVICE);
  }

  /** Holds pid and start of the process that serves the file. */
  private Path pid() {
    return folder.resolve("device.pid");
  }

  private Path said() {
    return folder.resolve("device.out");
  }

  /**
   * Makes the device and reads and writes of it; a disk of the kernel's, by its name.
   *
   * @throws IOException where files beside it can't be written
   */
  String start(Bytes size, Duration read) throws IOException {
    Files.createFile(device());
    Process server =
        new ProcessBuilder(
                tools.program("setsid"),
                tools.program("nbdfuse"),
                device().toString(),
                "--command",
                tools.program("nbdkit"),
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
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!served(size)) {
      if (!server.isAlive()) {
        throw new UserError("nbdfuse does not serve " + device() + ": " + lastSaid());
      }
      if (System.nanoTime() > end) {
        throw new UserError(
            "nbdfuse does not serve %s: not after %d s".formatted(device(), LIMIT.toSeconds()));
      }
      Processes.sleep(POLL_MS);
    }
    String loop = tools.run("losetup", "--find", "--show", "--direct-io=on", device().toString());
    Path direct = Path.of("/sys/block", Path.of(loop).getFileName().toString()).resolve("loop/dio");
    if (!Files.readString(direct).strip().equals("1")) {
      throw new UserError(loop + ": the kernel keeps what it has read of " + device());
    }
    return loop;
  }

  private boolean served(Bytes size) {
    try {
      return Mounts.at(device()) && Files.size(device()) == size.value();
    } catch (IOException e) {
      // Its server has just ended.
      return false;
    }
  }

  private String lastSaid() throws IOException {
    List<String> lines = Files.readAllLines(said());
    return lines.isEmpty() ? "it says nothing" : lines.get(lines.size() - 1);
  }

  /** Ends what there is of it; done when nothing is. */
  void stop() {
    if (Mounts.at(device())) {
      detach();
      tools.unmount(device());
    }
    awaitEnd();
  }

  /** Removes its files, of which none is in use any more. */
  void forget() throws IOException {
    for (Path file : List.of(device(), pid(), said())) {
      Files.deleteIfExists(file);
    }
  }

  /** Where this fails, the next step tells what still holds the disk. */
  private void detach() {
    Programs.Said loops =
        tools.said(
            "losetup", "--noheadings", "--output", "NAME", "--associated", device().toString());
    loops
        .text()
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("/dev/loop"))
        .forEach(loop -> tools.said("losetup", "--detach", loop));
  }

  /** The process that served the file ends by itself, once it is mounted no more. */
  private void awaitEnd() {
    if (!Files.exists(pid())) {
      return;
    }
    try {
      String[] its = Files.readString(pid()).strip().split(" ");
      long end = System.nanoTime() + LIMIT.toNanos();
      while (its.length == 2 && Processes.startTicks(Long.parseLong(its[0])).equals(its[1])) {
        if (System.nanoTime() > end) {
          throw new UserError("nbdfuse, process " + its[0] + ", does not end");
        }
        Processes.sleep(POLL_MS);
      }
    } catch (IOException | NumberFormatException e) {
      throw new UserError(pid() + ": can't be read: " + FileProblem.of(e), e);
    }
  }
}

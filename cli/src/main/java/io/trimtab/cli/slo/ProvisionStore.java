package io.trimtab.cli.slo;

import io.trimtab.cli.node.MachineFolder;
import io.trimtab.config.PrivateFiles;
import io.trimtab.config.UserError;
import io.trimtab.formats.JsonFile;
import io.trimtab.runtime.provision.Provisioned;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The cluster that was made for an agreement from this host, as files of this user. */
final class ProvisionStore {
  private static final String STATE = ".json";
  private static final String LOCK = ".lock";

  private final String name;
  private final Path folder = MachineFolder.provisioned();

  /**
   * @param name of the agreement
   */
  ProvisionStore(String name) {
    if (!name.matches("[A-Za-z0-9_.-]{1,60}")) {
      throw new UserError("an agreement's name is 1 to 60 of A-Z a-z 0-9 _ - ., not " + name);
    }
    this.name = name;
  }

  /** The agreements for which there is a cluster. */
  static List<String> all() {
    Path folder = MachineFolder.provisioned();
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(STATE))
          .map(file -> file.substring(0, file.length() - STATE.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UserError(folder + ": can't be read: " + e.getMessage(), e);
    }
  }

  private Path file() {
    return folder.resolve(name + STATE);
  }

  /** As it was kept last; empty if there is none. */
  Optional<Provisioned> read() {
    return Files.exists(file())
        ? Optional.of(JsonFile.read(file(), Provisioned.class, "the state of a cluster"))
        : Optional.empty();
  }

  void keep(Provisioned state) {
    JsonFile.write(file(), state, PrivateFiles.ATTRIBUTE);
  }

  /** The settings of its autopilot. */
  Path settings(Provisioned of) {
    return folder.resolve(of.mark()).resolve("autopilot.yaml");
  }

  /** Writes them, unless they are there: an operator may have changed them. */
  void writeSettings(Provisioned of, String text) {
    Path settings = settings(of);
    if (Files.exists(settings)) {
      return;
    }
    try {
      Files.createDirectories(settings.getParent());
      Files.writeString(settings, text);
    } catch (IOException e) {
      throw new UserError(settings + ": can't be written: " + e.getMessage(), e);
    }
  }

  /** The machines were given back. */
  void forget(Provisioned of) {
    Path own = folder.resolve(of.mark());
    try {
      if (Files.isDirectory(own)) {
        try (Stream<Path> files = Files.walk(own)) {
          for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
      Files.deleteIfExists(file());
    } catch (IOException e) {
      throw new UserError(folder + ": can't be cleared: " + e.getMessage(), e);
    }
  }

  /** Held by one command at a time, until it is closed or its process ends. */
  record Held(FileChannel channel) implements AutoCloseable {
    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UserError("the lock of a cluster can't be released: " + e.getMessage(), e);
      }
    }
  }

  /**
   * Keeps other commands from changing the same cluster at the same time.
   *
   * @throws UserError if one does already
   */
  Held hold() {
    Path file = folder.resolve(name + LOCK);
    try {
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!locked(channel)) {
        channel.close();
        throw new UserError(name + ": another command makes or gives back its cluster now");
      }
      return new Held(channel);
    } catch (IOException e) {
      throw new UserError(file + ": can't be locked: " + e.getMessage(), e);
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // Another one of this process has it.
      return false;
    }
  }
}

package io.trimtab.cli.slo;

import io.trimtab.cli.node.MachineFolder;
import io.trimtab.config.FileProblem;
import io.trimtab.config.PrivateFiles;
import io.trimtab.config.UserError;
import io.trimtab.formats.JsonFile;
import io.trimtab.runtime.provision.Provisioned;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
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
      throw new UserError(folder + ": can't be read: " + FileProblem.of(e), e);
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

  /** Keeps it, and from the first time on the folder of what its provider has to remember. */
  void keep(Provisioned state) {
    try {
      Files.createDirectories(folder.resolve(state.mark()));
    } catch (IOException e) {
      throw new UserError(folder + ": can't be written: " + FileProblem.of(e), e);
    }
    JsonFile.write(file(), state, PrivateFiles.ATTRIBUTE);
  }

  /**
   * Keeps a cluster that is new.
   *
   * @throws UserError if another agreement has its address
   */
  void begin(Provisioned state) {
    // The file's name is no agreement's.
    try (Held all = hold(folder.resolve(LOCK), "another command begins to make a cluster now")) {
      refuseShared(state.address());
      keep(state);
    }
  }

  /**
   * Refuses an address at which another agreement has its cluster, or begins to.
   *
   * @throws UserError naming it
   */
  void refuseShared(String address) {
    for (String other : all()) {
      Optional<Provisioned> its = new ProvisionStore(other).read();
      if (!other.equals(name) && its.filter(s -> s.address().equals(address)).isPresent()) {
        throw new UserError(
            "%s: agreement %s has its cluster there, and each gets one of its own; give another"
                    .formatted(address, other)
                + " address");
      }
    }
  }

  /**
   * Refuses to go on from what is not there any more; to be called while it is held.
   *
   * @param known as this command has read it
   * @throws UserError if another command has changed it since
   */
  void refuseChanged(Optional<Provisioned> known) {
    if (!read().equals(known)) {
      throw new UserError(
          name + ": another command has changed it meanwhile; give the command again");
    }
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
      PrivateFiles.replace(settings, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UserError(settings + ": can't be written: " + FileProblem.of(e), e);
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
      throw new UserError(folder + ": can't be cleared: " + FileProblem.of(e), e);
    }
  }

  /** Held by one command at a time, until it is closed or its process ends. */
  record Held(FileChannel channel) implements AutoCloseable {
    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UserError("the lock of a cluster can't be released: " + FileProblem.of(e), e);
      }
    }
  }

  /**
   * Keeps other commands from changing the same cluster at the same time.
   *
   * @throws UserError if one does already
   */
  Held hold() {
    String busy = name + ": another command makes or gives back its cluster now";
    return hold(folder.resolve(name + LOCK), busy);
  }

  private Held hold(Path file, String busy) {
    try {
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!locked(channel)) {
        channel.close();
        throw new UserError(busy);
      }
      return new Held(channel);
    } catch (IOException e) {
      throw new UserError(file + ": can't be locked: " + FileProblem.of(e), e);
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

package io.trimtab.lab.setup;

import io.trimtab.config.FileProblem;
import io.trimtab.config.PrivateFiles;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** A folder of a lab's keys and passwords, which only its user may read. */
record SecretFiles(Path folder) {
  private static final int PASSWORD_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  void create() {
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UserError(folder + ": can't be made: " + FileProblem.of(e), e);
    }
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  Path write(String name, String text) {
    try {
      Path file = file(name);
      PrivateFiles.replace(file, text.getBytes(StandardCharsets.UTF_8));
      return file;
    } catch (IOException e) {
      throw new UserError(file(name) + ": can't be written: " + FileProblem.of(e), e);
    }
  }

  /** A new password in a file. */
  Path password(String name) {
    byte[] random = new byte[PASSWORD_BYTES];
    RANDOM.nextBytes(random);
    return write(name, HexFormat.of().formatHex(random) + "\n");
  }

  String read(String name) {
    try {
      return Files.readString(file(name)).strip();
    } catch (IOException e) {
      throw new UserError(file(name) + ": can't be read: " + FileProblem.of(e), e);
    }
  }
}

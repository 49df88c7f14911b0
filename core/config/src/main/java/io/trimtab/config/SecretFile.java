package io.trimtab.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files with secrets, which nobody but their owner may use. */
public final class SecretFile {
  private SecretFile() {}

  /**
   * The text of a file, without white space around it.
   *
   * @param setting that names the file, for errors
   * @throws UserError if the file can't be read or is empty, or others than its owner may use it
   */
  public static String read(String setting, Path file) {
    PrivateFiles.requireOwnersOnly(setting, file);
    try {
      String text = Files.readString(file).strip();
      if (text.isEmpty()) {
        throw new UserError(setting + ": " + file + " is empty");
      }
      return text;
    } catch (IOException e) {
      throw new UserError(setting + ": " + file + " can't be read: " + FileProblem.of(e), e);
    }
  }
}

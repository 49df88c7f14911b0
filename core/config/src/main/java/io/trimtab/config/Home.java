package io.trimtab.config;

import java.nio.file.Path;

/** The folder with Trimtab's persistent data: labs, journals, logs. */
public final class Home {
  private Home() {}

  /** {@code TRIMTAB_HOME}, else {@code .trimtab} in the user's home. */
  public static Path folder() {
    String set = System.getProperty("trimtab.home", System.getenv("TRIMTAB_HOME"));
    return set == null || set.isBlank()
        ? Path.of(System.getProperty("user.home"), ".trimtab")
        : Path.of(set).toAbsolutePath();
  }
}

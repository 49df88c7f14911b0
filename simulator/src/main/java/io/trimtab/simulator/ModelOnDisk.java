package io.trimtab.simulator;

import io.trimtab.formats.ModelFile;
import io.trimtab.testkit.load.NodeModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The model of the simulated nodes, as a file: controllers read theirs from one. */
final class ModelOnDisk {
  /** Deleted when this process ends. */
  static final Path FILE = write();

  private ModelOnDisk() {}

  private static Path write() {
    try {
      Path file = Files.createTempFile("trimtab-fuzz", ".json");
      file.toFile().deleteOnExit();
      ModelFile.write(file, NodeModel.usage());
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

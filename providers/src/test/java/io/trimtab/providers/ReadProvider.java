package io.trimtab.providers;

import io.trimtab.engineapi.NodeProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A provider as a file of settings has it, of a cluster without nodes. */
final class ReadProvider {
  private ReadProvider() {}

  /**
   * @param folder of the file and of what the provider keeps
   */
  static NodeProvider of(Path folder, String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("provider.yaml"), yaml);
    return ProviderFile.read(file)
        .settings()
        .provider(
            new ProviderContext(
                () -> Snapshots.of(Map.of()),
                ProviderContext.Words.PLAIN,
                id -> folder,
                line -> {}));
  }
}

package io.trimtab.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.NodeProvider;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The section {@code provider} of a connection: what starts and stops the cluster's nodes. Its form
 * belongs to the module that has the providers; as long as there is none, a section is refused and
 * not overlooked.
 */
final class ProviderSection {
  private ProviderSection() {}

  /**
   * Reads the section.
   *
   * @param section null: there is none
   * @throws UserError naming file and cluster
   */
  static Optional<NodeProvider> provider(Path file, String cluster, JsonNode section) {
    if (section == null) {
      return Optional.empty();
    }
    throw new UserError(
        file + ": clusters." + cluster + ".provider: this version has no node providers");
  }
}

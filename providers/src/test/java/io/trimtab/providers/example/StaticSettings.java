package io.trimtab.providers.example;

import io.trimtab.engineapi.NodeProvider;
import io.trimtab.providers.Check;
import io.trimtab.providers.NodeNames;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderSettings;
import java.nio.file.Path;
import java.util.List;

/**
 * Hosts that are there, on each of which a program starts and stops a node.
 *
 * @param nodes as the database names them, in the order in which they are taken
 * @param program called with {@code start} or {@code stop} and a node; twice is as once
 */
public record StaticSettings(List<String> nodes, String program) implements ProviderSettings {
  public StaticSettings {
    if (nodes == null || nodes.isEmpty()) {
      throw new IllegalArgumentException("nodes is missing");
    }
    nodes = nodes.stream().map(node -> NodeNames.parse(node).name()).toList();
    program = Check.given("program", program);
  }

  @Override
  public StaticSettings in(Path folder) {
    return new StaticSettings(nodes, folder.resolve(program).toString());
  }

  @Override
  public NodeProvider provider(ProviderContext context) {
    return new StaticProvider(this, context);
  }
}

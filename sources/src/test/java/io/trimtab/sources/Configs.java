package io.trimtab.sources;

import io.trimtab.config.StrictYaml;

/** Sources as a user writes them. */
public final class Configs {
  private Configs() {}

  /**
   * A section's source.
   *
   * @param lines of the source, without indentation
   */
  public static SourceConfig source(String... lines) {
    return metrics("sources:\n  - " + String.join("\n    ", lines)).sources().get(0);
  }

  /** A whole section. */
  public static MetricsConfig metrics(String section) {
    String indented = section.indent(2);
    return StrictYaml.parse("m.yaml", "metrics:\n" + indented, MetricsConfig.MetricsFile.class)
        .metrics();
  }
}

package io.trimtab.workload;

import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tenants that run at the same time.
 *
 * @param rampUp the tenants' threads start spread over this time; default none
 * @param duration of a run; until stopped where missing
 */
public record WorkloadSpec(Duration rampUp, Duration duration, List<TenantSpec> tenants) {
  public WorkloadSpec {
    rampUp = rampUp == null ? Duration.ZERO : rampUp;
    if (tenants == null || tenants.isEmpty()) {
      throw new IllegalArgumentException("tenants is missing or empty");
    }
    tenants = List.copyOf(tenants);
    var tables = new HashSet<String>();
    var names = new HashSet<String>();
    for (TenantSpec tenant : tenants) {
      if (!names.add(tenant.name())) {
        throw new IllegalArgumentException("two tenants have the name " + tenant.name());
      }
      if (!tables.add(tenant.table())) {
        throw new IllegalArgumentException(
            tenant.name() + ".table: two tenants share the table " + tenant.table());
      }
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(WorkloadSpec.class);
  private static final String PRESET = "preset:";

  /** The presets by name; each is a resource next to this class. */
  private static final List<String> PRESETS = List.of("e1");

  /** Reads a YAML file, YCSB core properties where the text is that, or {@code preset:NAME}. */
  public static WorkloadSpec read(Path file) {
    return read(file, LOG::warn);
  }

  /**
   * As {@link #read(Path)}.
   *
   * @param warnings hears one line for each key of YCSB's that would change the workload and is not
   *     supported, or that YCSB does not have
   */
  public static WorkloadSpec read(Path file, Consumer<String> warnings) {
    if (file.toString().startsWith(PRESET)) {
      return preset(file.toString().substring(PRESET.length()));
    }
    return YcsbProperties.looksLike(file)
        ? YcsbProperties.read(file, warnings)
        : StrictYaml.read(file, WorkloadSpec.class);
  }

  /** A workload that ships with the program: {@code e1}, the six tenants of Cruz 2016, §3.1.1. */
  public static WorkloadSpec preset(String name) {
    if (!PRESETS.contains(name)) {
      throw new UserError(
          PRESET + name + ": no such preset; there are: " + String.join(", ", PRESETS));
    }
    try (InputStream in = WorkloadSpec.class.getResourceAsStream(name + ".yaml")) {
      return parse(PRESET + name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static WorkloadSpec parse(String name, String yaml) {
    return StrictYaml.parse(name, yaml, WorkloadSpec.class);
  }
}

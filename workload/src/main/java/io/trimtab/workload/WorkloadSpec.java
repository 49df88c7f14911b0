package io.trimtab.workload;

import io.trimtab.config.StrictYaml;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;

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
    for (TenantSpec tenant : tenants) {
      if (!tables.add(tenant.table())) {
        throw new IllegalArgumentException(
            tenant.name() + ".table: two tenants share the table " + tenant.table());
      }
    }
  }

  /** Reads a YAML file, or YCSB core properties where the text is that. */
  public static WorkloadSpec read(Path file) {
    return YcsbProperties.looksLike(file)
        ? YcsbProperties.read(file)
        : StrictYaml.read(file, WorkloadSpec.class);
  }

  public static WorkloadSpec parse(String name, String yaml) {
    return StrictYaml.parse(name, yaml, WorkloadSpec.class);
  }
}

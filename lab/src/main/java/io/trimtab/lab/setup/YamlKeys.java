package io.trimtab.lab.setup;

import io.trimtab.cassandra.versions.CassandraVersions;
import io.trimtab.config.UserError;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the nodes' version of Cassandra calls the keys of cassandra.yaml. */
final class YamlKeys {
  /** Its keys have units in their names; from 4.1 on the values have them. */
  private static final String UNITS_IN_NAMES = "4.0";

  private static final Pattern WITH_UNIT = Pattern.compile("(\\d+)(ms|MiB|MiB/s)");

  /** What a name ends with, by the unit of its value. */
  private static final Map<String, String> ENDS =
      Map.of("ms", "_in_ms", "MiB", "_in_mb", "MiB/s", "_mb_per_sec");

  private YamlKeys() {}

  /**
   * The keys of a node.
   *
   * @param keys as from 4.1 on
   * @param version of its Cassandra
   */
  static Map<String, String> of(Map<String, String> keys, String version) {
    if (!CassandraVersions.isOf(version, UNITS_IN_NAMES)) {
      return keys;
    }
    Map<String, String> named = new TreeMap<>();
    keys.forEach(
        (key, value) -> {
          Matcher number = WITH_UNIT.matcher(value);
          if (number.matches()) {
            named.put(key + ENDS.get(number.group(2)), number.group(1));
          } else if (value.matches("\\d+[A-Za-z/]+")) {
            throw new UserError(
                key + ": " + value + ": Cassandra 4.0 has units in the names of its keys");
          } else {
            named.put(key, value);
          }
        });
    return named;
  }
}

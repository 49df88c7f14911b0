package io.trimtab.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.ByteRate;
import io.trimtab.config.Bytes;
import io.trimtab.config.StrictYaml;
import io.trimtab.config.Units;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Profile;
import io.trimtab.formats.SettingsFile;
import io.trimtab.formats.Sla;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.sources.MetricsConfig;
import io.trimtab.sources.SourceConfig;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import io.trimtab.workload.lengths.FieldLengths;
import io.trimtab.workload.lengths.ScanLengths;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Documented keys are those of the code, with its defaults, under the right heading. */
final class KeyTablesTest {
  private static final Path ROOT = Sources.root();
  private static final Path CONFIGURATION = ROOT.resolve("docs").resolve("configuration.md");
  private static final Path WORKLOAD = ROOT.resolve("docs").resolve("workload.md");
  private static final Path EXAMPLE = ROOT.resolve("examples").resolve("trimtab.yaml");
  private static final Pattern ROW =
      Pattern.compile("\\| `([a-zA-Z0-9.]+)` \\| ([^|]*) \\| ?([^|]*) ?\\| ?([^|]*) ?\\|");

  /** What stands in the column of defaults where the code has none. */
  private static final Pattern NO_DEFAULT =
      Pattern.compile(
          "none|never|unlimited|until stopped|as each node has it|the only one in the tables"
              + "|required by `policy: [a-z]+`");

  /** Records that a file has as a word. */
  private static final Set<Class<?>> WORDS =
      Set.of(
          Bytes.class,
          Profile.class,
          Distribution.class,
          FieldLengths.class,
          ScanLengths.class,
          ByteRate.class,
          Mix.class);

  /** A line of a table. */
  private record Row(String heading, String key, String byDefault, String range) {}

  @Test
  void theAutopilotsTablesAreTheCodes() {
    List<Row> rows = rows(CONFIGURATION, "## The autopilot");
    compare(rows, values(Settings.defaults(), true), Map.of());
    for (Row row : rows) {
      int dot = row.key().indexOf('.');
      String heading = dot < 0 ? "## The autopilot" : "### `" + row.key().substring(0, dot) + "`";
      assertThat(row.heading()).as(row.key()).startsWith(heading);
    }
    assertThat(rows.get(0).key()).isEqualTo("policy");
    assertThatThrownBy(() -> Policies.ALL.named("unknown"))
        .as("every policy, in the registry's order")
        .hasMessageContaining("one of " + rows.get(0).range() + ",");
  }

  @Test
  void theLabsTableIsTheCodes() {
    LabConfig hbase = LabConfig.defaults();
    LabConfig ring = hbase.withCassandra(CassandraSettings.DEFAULTS);
    Map<String, Object> values = values(ring, true);
    values.put("memoryLimit", null);
    values.put("heap", null);
    values.put("cpus", null);
    Map<String, String> derived =
        Map.of(
            "heap",
            hbase.heap() + "; Cassandra " + ring.heap(),
            "memoryLimit",
            "heap + %s; Cassandra heap + %s"
                .formatted(
                    new Bytes(LabConfig.NATIVE_BYTES), new Bytes(LabConfig.CASSANDRA_NATIVE_BYTES)),
            "cpus",
            "¾ of the machine / nodes",
            "bucketCacheEngine",
            hbase
                .withBucketCache(Bytes.parse("1m"))
                .bucketCacheEngine()
                .toString()
                .toLowerCase(Locale.ROOT));
    compare(rows(CONFIGURATION, "## A lab"), values, derived);
  }

  @Test
  void theAgreementsTableIsTheCodes() {
    List<String> lines =
        List.of("name: a", "workload: w", "clients: 1", "objective: {throughput: 1MB/s}");
    Sla sla = parse(lines, Sla.class);
    Map<String, Object> values = values(sla, true);
    values.put("objective.throughput", null);
    Map<String, String> required =
        Map.of("name", "required", "workload", "required", "clients", "required");
    compare(rows(CONFIGURATION, "## A service level agreement"), values, required);
    eachIsNeeded(lines, Sla.class);
  }

  @Test
  void theMetricSourcesTablesAreTheCodes() {
    Map<String, Object> section = new LinkedHashMap<>();
    values(MetricsConfig.DEFAULTS, false)
        .forEach((key, value) -> section.put("metrics." + key, value));
    compare(
        rows(CONFIGURATION, "## Metric sources"),
        section,
        Map.of("metrics.order", "native, then the sources as listed"));
    SourceConfig source = parse(List.of("type: jolokia"), SourceConfig.class);
    compare(
        rows(CONFIGURATION, "## A metric source"),
        values(source, false),
        Map.of(
            "type", "required",
            "name", "the type",
            "url", "required by prometheus",
            "address", "required by ganglia",
            "mapping", "the shipped one",
            "trust", "those of the JDK"));
  }

  @Test
  void theWorkloadsTablesAreTheCodes() {
    List<String> lines = List.of("name: a", "records: 1", "mix: {read: 1}");
    Map<String, Object> values = values(parse(lines, TenantSpec.class), false);
    WorkloadSpec spec = WorkloadSpec.parse("test", "tenants: [{" + String.join(", ", lines) + "}]");
    values.putAll(values(spec, false));
    Map<String, String> special =
        Map.of(
            "tenants", "required",
            "name", "required",
            "records", "required",
            "mix", "required",
            "table", "the name");
    compare(rows(WORKLOAD, "## The file"), values, special);
    eachIsNeeded(lines, TenantSpec.class);
  }

  @Test
  void theExampleIsTheDefaultsAndShowsEveryKey() {
    assertThat(SettingsFile.read(EXAMPLE)).isEqualTo(Settings.defaults().with(Policies.DEFAULT));
    Set<String> shown = new TreeSet<>();
    String group = "";
    for (String line : Sources.text(EXAMPLE).lines().toList()) {
      Matcher key = Pattern.compile("( *)(?:# )?([a-zA-Z]+):.*").matcher(line);
      if (key.matches() && key.group(1).isEmpty() && !line.startsWith("#")) {
        group = key.group(2);
        if (line.matches("[a-z]+: +[^#\\s].*")) {
          shown.add(group);
        }
      } else if (key.matches() && key.group(1).length() == 2) {
        shown.add(group + "." + key.group(2));
      }
    }
    assertThat(shown)
        .containsExactlyInAnyOrderElementsOf(values(Settings.defaults(), true).keySet());
  }

  @Test
  void aWrongDefaultIsFound() {
    assertThat(says("10m", Duration.ofMinutes(10))).isTrue();
    assertThat(says("11m", Duration.ofMinutes(10))).isFalse();
    assertThat(says("0.80", 0.8)).isTrue();
    assertThat(says("0.81", 0.8)).isFalse();
    assertThat(says("none", 0.8)).isFalse();
    assertThat(says("0.8", null)).isFalse();
    assertThat(says("never", null)).isTrue();
    assertThat(says("8m", new Bytes(8 << 20))).isTrue();
  }

  private static void compare(
      List<Row> rows, Map<String, Object> values, Map<String, String> special) {
    assertThat(rows.stream().map(Row::key)).containsExactlyInAnyOrderElementsOf(values.keySet());
    assertThat(rows)
        .allSatisfy(
            row ->
                assertThat(
                        special.containsKey(row.key())
                            ? special.get(row.key()).equals(row.byDefault())
                            : says(row.byDefault(), values.get(row.key())))
                    .as("%s: %s, code: %s", row.key(), row.byDefault(), values.get(row.key()))
                    .isTrue());
  }

  /** Whether a table's words mean the code's value. */
  private static boolean says(String words, Object value) {
    boolean without = NO_DEFAULT.matcher(words).matches();
    if (value == null
        || value instanceof List<?> list && list.isEmpty()
        || value instanceof Map<?, ?> map && map.isEmpty()) {
      return without;
    } else if (without) {
      return false;
    } else if (value instanceof Duration time) {
      return Units.duration(words).equals(time);
    } else if (value instanceof Bytes size) {
      return Bytes.parse(words).equals(size);
    } else if (value instanceof Number number) {
      return words.matches("[0-9.]+") && Double.parseDouble(words) == number.doubleValue();
    } else if (value instanceof Policy policy) {
      return policy.name().equals(words);
    } else if (value instanceof Profile profile) {
      return profile.name().equals(words);
    } else if (value instanceof Distribution) {
      return value.equals(Distribution.UNIFORM) && words.equals("uniform");
    } else if (value instanceof FieldLengths) {
      return value.equals(FieldLengths.CONSTANT) && words.equals("constant");
    } else if (value instanceof ScanLengths) {
      return value.equals(ScanLengths.UNIFORM) && words.equals("uniform from 1");
    }
    return value.toString().toLowerCase(Locale.ROOT).equals(words);
  }

  private static <T> T parse(List<String> lines, Class<T> type) {
    return StrictYaml.parse("test", String.join("\n", lines) + "\n", type);
  }

  /** A file without one of them is refused. */
  private static void eachIsNeeded(List<String> lines, Class<?> type) {
    for (String line : lines) {
      List<String> others = lines.stream().filter(other -> !other.equals(line)).toList();
      String key = line.substring(0, line.indexOf(':'));
      assertThatThrownBy(() -> parse(others, type))
          .as(line)
          .hasMessageMatching(".*\\b" + key + " (is missing|must be .*, not null)");
    }
  }

  /** Keys and values; those of groups with the group's name before them. */
  private static Map<String, Object> values(Object settings, boolean grouped) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (RecordComponent part : settings.getClass().getRecordComponents()) {
      Object value = value(settings, part);
      if (grouped && part.getType().isRecord() && !WORDS.contains(part.getType())) {
        values(value, false).forEach((key, of) -> values.put(part.getName() + "." + key, of));
      } else {
        values.put(part.getName(), value);
      }
    }
    return values;
  }

  private static Object value(Object settings, RecordComponent part) {
    try {
      return part.getAccessor().invoke(settings);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(part.getName(), e);
    }
  }

  /** The rows of a part of a document, until its next heading of the second level. */
  private static List<Row> rows(Path document, String part) {
    List<Row> rows = new ArrayList<>();
    String heading = "";
    boolean within = false;
    for (String line : Sources.text(document).lines().toList()) {
      if (line.startsWith("#")) {
        heading = line;
        within = line.startsWith("### ") ? within : line.startsWith(part);
      }
      Matcher row = ROW.matcher(line);
      if (within && row.find()) {
        rows.add(new Row(heading, row.group(1), row.group(2).strip(), row.group(3).strip()));
      }
    }
    assertThat(rows).as(document + " " + part).isNotEmpty();
    return rows;
  }
}

package io.trimtab.workload;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** YCSB's core property files ({@code workloada} … {@code workloadf}) as they are. */
final class YcsbProperties {
  private static final Logger LOG = LoggerFactory.getLogger(YcsbProperties.class);

  /** Say how YCSB runs, measures or reaches a database, not what is asked of it. */
  private static final Set<String> SILENT =
      Set.of(
          "workload",
          "db",
          "dataintegrity",
          "readallfieldsbyname",
          "measurementtype",
          "exporter",
          "exportfile",
          "status.interval",
          "label");

  private static final List<String> SILENT_PREFIXES =
      List.of("hdrhistogram.", "histogram.", "timeseries.", "measurement.", "hbase.", "cassandra.");

  /** Not supported keys, each with the one value that means what is done here anyway. */
  private static final Map<String, String> HERE =
      Map.of(
          "insertstart", "0",
          "readallfields", "true",
          "writeallfields", "true",
          "fieldlengthdistribution", "constant",
          "minscanlength", "1",
          "scanlengthdistribution", "uniform",
          "fieldnameprefix", "field");

  private YcsbProperties() {}

  /** Whether a file has YCSB's form ({@code key=value}) rather than YAML's. */
  static boolean looksLike(Path file) {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    return text(file)
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .findFirst()
        .map(line -> line.matches("[A-Za-z_.]+\\s*=.*"))
        .orElse(false);
  }

  static WorkloadSpec read(Path file) {
    return read(file, LOG::warn);
  }

  /**
   * Reads a file.
   *
   * @param warnings hears one line for each key that would change the workload and is ignored
   */
  static WorkloadSpec read(Path file, Consumer<String> warnings) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text(file)));
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + e.getMessage(), e);
    }
    Reader reader = new Reader(file, properties);
    WorkloadSpec spec = reader.spec();
    reader.nameIgnored(warnings);
    return spec;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + e.getMessage(), e);
    }
  }

  private record Reader(Path file, Properties properties, Set<String> used) {
    Reader(Path file, Properties properties) {
      this(file, properties, new TreeSet<>());
    }

    WorkloadSpec spec() {
      double seconds = number("maxexecutiontime", 0);
      String order = text("insertorder", "hashed");
      double target = number("target", 0);
      try {
        TenantSpec tenant =
            new TenantSpec(
                file.getFileName().toString().replaceAll("[^A-Za-z0-9_-]", "_"),
                text("table", "usertable"),
                1,
                whole("recordcount", 1000),
                whole("fieldcount", 10),
                whole("fieldlength", 100),
                text("columnfamily", "f"),
                null,
                null,
                new Mix(
                    number("readproportion", 0.95),
                    number("updateproportion", 0.05),
                    number("insertproportion", 0),
                    number("scanproportion", 0),
                    number("readmodifywriteproportion", 0)),
                whole("maxscanlength", 1000),
                distribution(),
                order.equals("ordered") ? TenantSpec.KeyOrder.ORDERED : TenantSpec.KeyOrder.HASHED,
                whole("threadcount", 1),
                target > 0 ? target : null,
                null,
                consistency(),
                operations());
        Duration duration = seconds > 0 ? Duration.ofSeconds((long) seconds) : null;
        return new WorkloadSpec(null, duration, List.of(tenant));
      } catch (IllegalArgumentException e) {
        throw new UserError(file + ": " + e.getMessage(), e);
      }
    }

    /** As in YCSB, 0 is no bound. */
    private Long operations() {
      String value = text("operationcount", "0");
      try {
        long count = Long.parseLong(value);
        if (count >= 0) {
          return count == 0 ? null : count;
        }
      } catch (NumberFormatException e) {
        throw new UserError(notWhole("operationcount", value), e);
      }
      throw new UserError(notWhole("operationcount", value));
    }

    private int whole(String key, int whenMissing) {
      String value = text(key, Integer.toString(whenMissing));
      try {
        return Integer.parseInt(value);
      } catch (NumberFormatException e) {
        throw new UserError(notWhole(key, value), e);
      }
    }

    private String notWhole(String key, String value) {
      return file + ": " + key + ": must be a whole number, not '" + value + "'";
    }

    private Distribution distribution() {
      String name = text("requestdistribution", "uniform");
      return switch (name.toLowerCase(Locale.ROOT)) {
        case "uniform", "sequential" -> Distribution.UNIFORM;
        // YCSB scatters its zipfian over the key space.
        case "zipfian" -> new Distribution(Distribution.Kind.SCRAMBLED, null, null);
        case "latest" -> new Distribution(Distribution.Kind.LATEST, null, null);
        case "exponential" -> new Distribution(Distribution.Kind.EXPONENTIAL, null, null);
        case "hotspot" ->
            new Distribution(
                Distribution.Kind.HOTSPOT,
                number("hotspotdatafraction", 0.2),
                number("hotspotopnfraction", 0.8));
        default ->
            throw new UserError(file + ": requestdistribution: unknown distribution " + name);
      };
    }

    /** YCSB's Cassandra binding has one for reads and one for writes; here both are the same. */
    private TenantSpec.Consistency consistency() {
      String reads = text("cassandra.readconsistencylevel", "QUORUM");
      String writes = text("cassandra.writeconsistencylevel", reads);
      if (!reads.equals(writes)) {
        throw new UserError(
            file + ": cassandra.writeconsistencylevel: must be the same as for reads, " + reads);
      }
      try {
        return TenantSpec.Consistency.valueOf(reads.toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw new UserError(file + ": cassandra.readconsistencylevel: unknown level " + reads, e);
      }
    }

    private String text(String key, String whenMissing) {
      used.add(key);
      return properties.getProperty(key, whenMissing).strip();
    }

    private double number(String key, double whenMissing) {
      String value = text(key, Double.toString(whenMissing));
      try {
        return Double.parseDouble(value);
      } catch (NumberFormatException e) {
        throw new UserError(file + ": " + key + ": must be a number, not '" + value + "'", e);
      }
    }

    private void nameIgnored(Consumer<String> warnings) {
      for (String key : new TreeSet<>(properties.stringPropertyNames())) {
        String value = properties.getProperty(key).strip();
        boolean silent =
            used.contains(key)
                || SILENT.contains(key)
                || SILENT_PREFIXES.stream().anyMatch(key::startsWith)
                || value.equals(HERE.get(key))
                || ofHotspotOnly(key);
        if (!silent) {
          warnings.accept(file + ": key " + key + " is not supported and ignored");
        }
      }
      if (text("requestdistribution", "uniform").equalsIgnoreCase("sequential")) {
        warnings.accept(
            file + ": requestdistribution: sequential is not supported, uniform is used");
      }
    }

    /** Stock files give these for every distribution; they mean something for one only. */
    private static boolean ofHotspotOnly(String key) {
      return key.equals("hotspotdatafraction") || key.equals("hotspotopnfraction");
    }
  }
}

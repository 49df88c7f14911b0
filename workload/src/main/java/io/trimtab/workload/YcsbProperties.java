package io.trimtab.workload;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/** YCSB's core property files ({@code workloada} … {@code workloadf}) as they are. */
final class YcsbProperties {
  /** What YCSB's core knows and has no meaning here. */
  private static final Set<String> IGNORED =
      Set.of(
          "workload",
          "operationcount",
          "insertstart",
          "insertcount",
          "readallfields",
          "readallfieldsbyname",
          "writeallfields",
          "fieldlengthdistribution",
          "fieldlengthhistogram",
          "fieldnameprefix",
          "minfieldlength",
          "minscanlength",
          "scanlengthdistribution",
          "zeropadding",
          "dataintegrity",
          "core_workload_insertion_retry_limit",
          "core_workload_insertion_retry_interval",
          "measurementtype",
          "histogram.buckets",
          "timeseries.granularity",
          "exporter",
          "exportfile",
          "db");

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
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text(file)));
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + e.getMessage(), e);
    }
    Reader reader = new Reader(file, properties);
    WorkloadSpec spec = reader.spec();
    reader.refuseUnknown();
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
                (int) number("recordcount", 1000),
                (int) number("fieldcount", 10),
                (int) number("fieldlength", 100),
                text("columnfamily", "f"),
                null,
                null,
                new Mix(
                    number("readproportion", 0.95),
                    number("updateproportion", 0.05),
                    number("insertproportion", 0),
                    number("scanproportion", 0),
                    number("readmodifywriteproportion", 0)),
                (int) number("maxscanlength", 1000),
                distribution(),
                order.equals("ordered") ? TenantSpec.KeyOrder.ORDERED : TenantSpec.KeyOrder.HASHED,
                (int) number("threadcount", 1),
                target > 0 ? target : null,
                null,
                consistency());
        Duration duration = seconds > 0 ? Duration.ofSeconds((long) seconds) : null;
        return new WorkloadSpec(null, duration, List.of(tenant));
      } catch (IllegalArgumentException e) {
        throw new UserError(file + ": " + e.getMessage(), e);
      }
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

    private void refuseUnknown() {
      for (String key : properties.stringPropertyNames()) {
        if (!used.contains(key)
            && !IGNORED.contains(key)
            && !Set.of("hotspotdatafraction", "hotspotopnfraction").contains(key)
            && !key.startsWith("hdrhistogram.")) {
          throw new UserError(file + ": " + key + ": unknown key; YCSB's core has none like it");
        }
      }
    }
  }
}

package io.trimtab.workload;

import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.workload.lengths.FieldLengths;
import io.trimtab.workload.lengths.ScanLengths;
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

/** YCSB's core property files ({@code workloada} … {@code workloadf}) as they are. */
final class YcsbProperties {
  /** Keys that control how YCSB runs, measures or connects, but not the workload. */
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

  /** Unsupported keys, each with the only value that matches Trimtab's behaviour. */
  private static final Map<String, String> HERE =
      Map.of(
          "readallfields", "true",
          "writeallfields", "true",
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
      throw new UserError(file + ": can't be read: " + FileProblem.of(e), e);
    }
    Reader reader = new Reader(file, properties);
    WorkloadSpec spec = reader.spec();
    reader.tell(warnings);
    return spec;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UserError(file + ": can't be read: " + FileProblem.of(e), e);
    }
  }

  private record Reader(Path file, Properties properties, Set<String> used) {
    Reader(Path file, Properties properties) {
      this(file, properties, new TreeSet<>());
    }

    WorkloadSpec spec() {
      double seconds = number("maxexecutiontime", 0);
      double target = number("target", 0);
      try {
        TenantSpec tenant =
            new TenantSpec(
                file.getFileName().toString().replaceAll("[^A-Za-z0-9_-]", "_"),
                text("table", "usertable"),
                1,
                records(),
                integer("fieldcount", 10),
                integer("fieldlength", 100),
                text("columnfamily", "f"),
                null,
                null,
                new Mix(
                    number("readproportion", 0.95),
                    number("updateproportion", 0.05),
                    number("insertproportion", 0),
                    number("scanproportion", 0),
                    number("readmodifywriteproportion", 0)),
                integer("maxscanlength", 1000),
                distribution(),
                keyOrder(),
                integer("threadcount", 1),
                target > 0 ? target : null,
                null,
                consistency(),
                operations(),
                fieldLengths(),
                scanLengths(),
                null,
                integer("zeropadding", Keys.ALL_DIGITS),
                (long) integer("insertstart", 0));
        Duration duration = seconds > 0 ? Duration.ofSeconds((long) seconds) : null;
        return new WorkloadSpec(null, duration, List.of(tenant));
      } catch (IllegalArgumentException e) {
        throw new UserError(file + ": " + e.getMessage(), e);
      }
    }

    /** YCSB counts the records from 0 that other clients load. */
    private int records() {
      int count = integer("recordcount", 1000);
      int start = integer("insertstart", 0);
      if (start > 0 && start >= count) {
        throw new UserError(
            "%s: insertstart: must be less than recordcount, %d, not %d"
                .formatted(file, count, start));
      }
      return count - start;
    }

    /** YCSB takes every other word as ordered. */
    private TenantSpec.KeyOrder keyOrder() {
      String order = text("insertorder", "hashed");
      return switch (order) {
        case "ordered" -> TenantSpec.KeyOrder.ORDERED;
        case "hashed" -> TenantSpec.KeyOrder.HASHED;
        default ->
            throw new UserError(
                file + ": insertorder: must be ordered or hashed, not '" + order + "'");
      };
    }

    private FieldLengths fieldLengths() {
      String name = text("fieldlengthdistribution", "constant");
      int min = Math.max(FieldLengths.SHORTEST, integer("minfieldlength", 1));
      String histogram = text("fieldlengthhistogram", "hist.txt");
      return switch (name) {
        case "constant" -> FieldLengths.CONSTANT;
        case "uniform" -> new FieldLengths(FieldLengths.Kind.UNIFORM, min, null);
        case "zipfian" -> new FieldLengths(FieldLengths.Kind.ZIPFIAN, min, null);
        case "histogram" -> new FieldLengths(FieldLengths.Kind.HISTOGRAM, null, histogram);
        default ->
            throw new UserError(file + ": fieldlengthdistribution: unknown distribution " + name);
      };
    }

    private ScanLengths scanLengths() {
      String name = text("scanlengthdistribution", "uniform");
      int min = integer("minscanlength", 1);
      return switch (name) {
        case "uniform" -> new ScanLengths(ScanLengths.Kind.UNIFORM, min);
        case "zipfian" -> new ScanLengths(ScanLengths.Kind.ZIPFIAN, min);
        default ->
            throw new UserError(file + ": scanlengthdistribution: unknown distribution " + name);
      };
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

    private int integer(String key, int whenMissing) {
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
        case "exponential" ->
            new Distribution(
                Distribution.Kind.EXPONENTIAL,
                null,
                null,
                number("exponential.percentile", 95),
                number("exponential.frac", 0.8571428571));
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

    /** Names keys that are ignored, and those whose behaviour differs from YCSB's. */
    private void tell(Consumer<String> warnings) {
      for (String key : new TreeSet<>(properties.stringPropertyNames())) {
        String value = properties.getProperty(key).strip();
        boolean silent =
            used.contains(key)
                || SILENT.contains(key)
                || SILENT_PREFIXES.stream().anyMatch(key::startsWith)
                || value.equals(HERE.get(key))
                || ofOneDistributionOnly(key)
                || key.equals("insertcount") && value.equals(Integer.toString(records()));
        if (!silent) {
          warnings.accept(file + ": key " + key + " is not supported and ignored");
        }
      }
      if (text("requestdistribution", "uniform").equalsIgnoreCase("sequential")) {
        warnings.accept(
            file + ": requestdistribution: sequential is not supported, uniform is used");
      }
      FieldLengths.Kind lengths = fieldLengths().kind();
      int min = integer("minfieldlength", 1);
      if (min < FieldLengths.SHORTEST
          && (lengths == FieldLengths.Kind.UNIFORM || lengths == FieldLengths.Kind.ZIPFIAN)) {
        warnings.accept(
            "%1$s: minfieldlength: a verified value has at least %2$d bytes, %2$d is used, not %3$d"
                .formatted(file, FieldLengths.SHORTEST, min));
      }
    }

    /** Stock files give these for every distribution; they mean something for one only. */
    private static boolean ofOneDistributionOnly(String key) {
      return key.matches("hotspot(data|opn)fraction|exponential\\.(percentile|frac)");
    }
  }
}

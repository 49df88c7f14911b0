package io.trimtab.cli.usage;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Table;
import io.trimtab.config.UserError;
import io.trimtab.controller.observe.ModelMismatch;
import io.trimtab.controller.place.Hardware;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.formats.ModelFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Several kinds of nodes that a load could be served by, the best first. */
final class HardwareTable {
  private static final double PRICE_MAX = 1e6;

  private final List<Hardware.Kind> kinds;
  private final List<Hardware.Fit> fits;
  private final double target;
  private final List<String> warnings;

  /**
   * @param fits of the same kinds, in the order in which they are preferred
   * @param target usage below which the most used node stays
   * @param seen the load's cluster
   */
  HardwareTable(
      List<Hardware.Kind> kinds, List<Hardware.Fit> fits, double target, ClusterSnapshot seen) {
    this.kinds = kinds;
    this.fits = fits;
    this.target = target;
    this.warnings = warnings(kinds, seen);
  }

  /**
   * Reads the models.
   *
   * @param prices by file, as the files are given
   * @throws UserError also where a file is given twice, or has no price while others have
   */
  static List<Hardware.Kind> kinds(List<Path> files, Map<String, Double> prices) {
    Set<String> names = new HashSet<>();
    for (Path file : files) {
      if (!names.add(file.toString())) {
        throw new UserError("--model " + file + ": given twice");
      }
    }
    prices.forEach(
        (file, price) -> {
          if (!names.contains(file)) {
            throw new UserError("--price " + file + ": no --model has this name");
          }
          if (!(price >= 0 && price <= PRICE_MAX)) {
            throw new UserError("--price " + file + ": must be in [0, 1e6], not " + price);
          }
        });
    List<Hardware.Kind> kinds = new ArrayList<>();
    for (Path file : files) {
      Double price = prices.get(file.toString());
      if (price == null && !prices.isEmpty()) {
        throw new UserError("--price " + file + ": missing; give all models a price, or none");
      }
      OptionalDouble known = price == null ? OptionalDouble.empty() : OptionalDouble.of(price);
      try {
        kinds.add(new Hardware.Kind(file.toString(), ModelFile.read(file), known));
      } catch (IllegalArgumentException e) {
        throw new UserError(e.getMessage(), e);
      }
    }
    return kinds;
  }

  private boolean priced() {
    return kinds.stream().allMatch(kind -> kind.price().isPresent());
  }

  private Optional<Hardware.Fit> chosen() {
    return fits.stream().filter(fit -> fit.nodes().isPresent()).findFirst();
  }

  /** Of models whose usage is not one quantity, or not that of the cluster's nodes. */
  private static List<String> warnings(List<Hardware.Kind> kinds, ClusterSnapshot seen) {
    List<String> warnings = new ArrayList<>();
    otherWaits(kinds).ifPresent(warnings::add);
    kinds.forEach(
        kind ->
            ModelMismatch.besidesHardware(kind.name(), kind.model(), seen)
                .ifPresent(warnings::add));
    return warnings;
  }

  private static Optional<String> otherWaits(List<Hardware.Kind> kinds) {
    long sources = kinds.stream().map(kind -> kind.model().waitSource()).distinct().count();
    if (sources == 1) {
      return Optional.empty();
    }
    List<String> each =
        kinds.stream()
            .map(kind -> kind.name() + " from " + WaitSource.text(kind.model().waitSource()))
            .toList();
    return Optional.of("the models' I/O wait is not the same: " + String.join(", ", each));
  }

  String text() {
    Table table =
        priced()
            ? new Table("model", ">nodes", ">most used", ">price per hour")
            : new Table("model", ">nodes", ">most used");
    for (Hardware.Fit fit : fits) {
      List<String> cells = new ArrayList<>();
      cells.add(fit.name());
      cells.add(fit.nodes().isPresent() ? Integer.toString(fit.nodes().getAsInt()) : "–");
      cells.add(
          fit.nodes().isPresent() ? String.format(Locale.ROOT, "%.1f%%", 100 * fit.most()) : "–");
      if (priced()) {
        cells.add(fit.nodes().isPresent() ? price(fit) : "–");
      }
      table.row(cells.toArray());
    }
    StringBuilder text = new StringBuilder(table.toString());
    for (Hardware.Fit fit : fits) {
      if (fit.nodes().isEmpty()) {
        text.append(fit.name()).append(": does not hold the load: ").append(fit.why()).append('\n');
      }
    }
    text.append(
        String.format(Locale.ROOT, "target: the most used node at most at %.0f%%\n", 100 * target));
    text.append(choice());
    warnings.forEach(clause -> text.append("\nwarning: ").append(clause));
    return text.toString();
  }

  private static String price(Hardware.Fit fit) {
    return String.format(Locale.ROOT, "%.2f", fit.price());
  }

  private String choice() {
    if (chosen().isEmpty()) {
      return "none would be chosen: no model's nodes hold the load";
    }
    Hardware.Fit best = chosen().get();
    String nodes = Counted.of(best.nodes().getAsInt(), "node");
    return priced()
        ? "chosen, as the cheapest: %s, %s for %s per hour"
            .formatted(best.name(), nodes, price(best))
        : "chosen, as the fewest nodes: %s, %s; --price compares by price"
            .formatted(best.name(), nodes);
  }

  String json() {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("models", fits.stream().map(HardwareTable::line).toList());
    result.put("chosen", chosen().map(Hardware.Fit::name).orElse(null));
    result.put("target", target);
    if (!warnings.isEmpty()) {
      result.put("warning", String.join("; ", warnings));
    }
    return JsonOutput.text(result);
  }

  private static Map<String, Object> line(Hardware.Fit fit) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("model", fit.name());
    line.put("nodes", fit.nodes().isPresent() ? fit.nodes().getAsInt() : null);
    line.put("usage", Double.isNaN(fit.most()) ? null : fit.most());
    line.put("pricePerHour", Double.isNaN(fit.price()) ? null : fit.price());
    if (fit.nodes().isEmpty()) {
      line.put("why", fit.why());
    }
    return line;
  }
}

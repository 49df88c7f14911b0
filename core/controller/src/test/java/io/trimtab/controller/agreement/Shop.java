package io.trimtab.controller.agreement;

import io.trimtab.controller.observe.Service;
import io.trimtab.controller.observe.Service.Check;
import io.trimtab.controller.observe.Service.Percentiles;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** An agreement for 100 clients, of whom c are answered by n nodes in c / n ms. */
public final class Shop {
  static final int CHECKS = 20;

  /** Those of the autopilot. */
  public static final Settings SETTINGS =
      Settings.defaults()
          .with(
              SloSettings.builder().sla("sla.yaml").tables(List.of("t.csv")).checks(CHECKS).build())
          .with(Policies.AUTOPILOT);

  private Shop() {}

  private static ProvisioningTable table() {
    List<Cell> cells = new ArrayList<>();
    double any = Double.NaN;
    for (int nodes = 1; nodes <= 8; nodes++) {
      for (int clients : new int[] {20, 100, 200, 300}) {
        double ms = clients / (double) nodes;
        cells.add(new Cell("zipf", "small", clients, nodes, ms, 0.4 * nodes, any, any, 1));
      }
    }
    return new ProvisioningTable(cells);
  }

  /**
   * An agreement and what its clients report.
   *
   * @param limitMs of the mean response time
   * @param morePaid whether clients above 100 pay for nodes
   */
  public static Service service(
      double limitMs, int maxNodes, boolean morePaid, int checks, int clients, double ms) {
    double any = Double.NaN;
    Objective promised = new Objective("zipf", 100, limitMs, any, any, any, maxNodes);
    return service("shop", promised, morePaid, Collections.nCopies(checks, check(clients, ms, 1)));
  }

  static Service service(String name, Objective promised, boolean morePaid, List<Check> checks) {
    return new Service(name, promised, table(), "small", checks, morePaid);
  }

  static Check check(int clients, double ms, double rate) {
    return new Check(clients, ms, Percentiles.UNKNOWN, rate, 990, 1_000);
  }

  /** Of up to 100 clients, for whom there may be 8 nodes. */
  public static Service service(double limitMs, int clients, double ms) {
    return service(limitMs, 8, false, CHECKS, clients, ms);
  }
}

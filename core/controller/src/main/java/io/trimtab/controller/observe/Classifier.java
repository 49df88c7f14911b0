package io.trimtab.controller.observe;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Determines the access class of partitions (Cruz 2016, §3.2.2, Stage C). */
public final class Classifier {
  private Classifier() {}

  /**
   * The class of a partition.
   *
   * @param last its previous class, which it keeps while it has no traffic
   * @param share threshold in (0.5, 1]; the kind with a greater share of the requests determines
   *     the class
   */
  public static AccessClass classify(Rates rates, AccessClass last, double share) {
    double total = rates.total();
    if (!(total > 0)) {
      return last;
    }
    if (rates.reads() > share * total) {
      return rates.scanCalls() > share * rates.reads() ? AccessClass.SCAN : AccessClass.READ;
    }
    return rates.writes() > share * total ? AccessClass.WRITE : AccessClass.READ_WRITE;
  }

  /**
   * The partitions with their classes. A partition without any requests so far gets the class of
   * its table: moving it to a node of another class would only slow down its first requests.
   */
  public static Partitions classify(Observation.Usable seen, PolicyState state, Settings settings) {
    double share = settings.place().classShare();
    Partitions partitions = Partitions.of(seen);
    Rates[] tables = new Rates[partitions.tables()];
    Arrays.fill(tables, Rates.ZERO);
    for (int p : partitions.asListed()) {
      int table = partitions.table(p);
      tables[table] = tables[table].plus(partitions.rates(p));
    }
    AccessClass[] classes = remembered(partitions, state);
    for (int p = 0; p < classes.length; p++) {
      if (classes[p] == null) {
        classes[p] = classify(tables[partitions.table(p)], AccessClass.READ_WRITE, share);
      }
      classes[p] = classify(partitions.rates(p), classes[p], share);
    }
    return partitions.with(classes);
  }

  /** By index; null where nothing is remembered. */
  private static AccessClass[] remembered(Partitions partitions, PolicyState state) {
    AccessClass[] classes = new AccessClass[partitions.size()];
    List<PolicyState.Classified> last = state.classes();
    Map<PartitionId, AccessClass> byId = null;
    for (int p = 0; p < classes.length; p++) {
      PartitionId id = partitions.state(p).id();
      // Both are by id: as long as no partition comes or goes nothing need be looked up.
      if (p < last.size() && last.get(p).partition().equals(id)) {
        classes[p] = last.get(p).accessClass();
      } else {
        byId = byId == null ? state.classMap() : byId;
        classes[p] = byId.get(id);
      }
    }
    return classes;
  }

  /** The node configuration for a class (Cruz 2016, Table 3.1). */
  public static Profile profile(AccessClass accessClass) {
    return switch (accessClass) {
      case READ -> Profile.READ;
      case WRITE -> Profile.WRITE;
      case READ_WRITE -> Profile.READ_WRITE;
      case SCAN -> Profile.SCAN;
    };
  }
}

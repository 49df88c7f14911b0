package io.trimtab.controller.observe;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.HashMap;
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
      return rates.scans() > share * rates.reads() ? AccessClass.SCAN : AccessClass.READ;
    }
    return rates.writes() > share * total ? AccessClass.WRITE : AccessClass.READ_WRITE;
  }

  /**
   * The partitions' classes. A partition without any requests so far gets the class of its table:
   * moving it to a node of another class would only slow down its first requests.
   */
  public static Map<PartitionId, AccessClass> classify(
      Observation.Usable seen, PolicyState state, Settings settings) {
    double share = settings.place().classShare();
    Map<PartitionId, AccessClass> last = state.classMap();
    Map<String, Rates> tables = new HashMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      tables.merge(p.id().table(), seen.rates(p.id()), Rates::plus);
    }
    Map<PartitionId, AccessClass> classes = new HashMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      AccessClass before = last.get(p.id());
      if (before == null) {
        before = classify(tables.get(p.id().table()), AccessClass.READ_WRITE, share);
      }
      classes.put(p.id(), classify(seen.rates(p.id()), before, share));
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

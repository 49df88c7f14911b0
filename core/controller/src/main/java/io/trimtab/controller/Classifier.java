package io.trimtab.controller;

import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.Profile;

/** Tells how a partition is used (Cruz 2016, §3.2.2, Stage C). */
public final class Classifier {
  private Classifier() {}

  /**
   * The class of a partition.
   *
   * @param last its class so far, which it keeps while it has no traffic
   * @param share in (0.5, 1]; a kind with a greater share of the requests decides
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

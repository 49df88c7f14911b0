package io.trimtab.workload;

/** Shares of the kinds of operations; each in [0, 1], together 1. Missing kinds are 0. */
public record Mix(Double read, Double update, Double insert, Double scan, Double readModifyWrite) {
  public Mix {
    read = share("read", read);
    update = share("update", update);
    insert = share("insert", insert);
    scan = share("scan", scan);
    readModifyWrite = share("readModifyWrite", readModifyWrite);
    double sum = read + update + insert + scan + readModifyWrite;
    if (Math.abs(sum - 1) > 1e-6) {
      throw new IllegalArgumentException("mix: the shares must add up to 1, not " + sum);
    }
  }

  private static double share(String key, Double value) {
    if (value == null) {
      return 0;
    }
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("mix." + key + " must be in [0, 1], not " + value);
    }
    return value;
  }
}

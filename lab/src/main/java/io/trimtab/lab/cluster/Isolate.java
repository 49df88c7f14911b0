package io.trimtab.lab.cluster;

/** Whether a lab's nodes get control groups of their own. */
public enum Isolate {
  /** Where the machine allows it. */
  AUTO,
  /** Or the lab does not start. */
  ON,
  OFF
}

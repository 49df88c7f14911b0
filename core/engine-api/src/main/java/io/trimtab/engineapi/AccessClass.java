package io.trimtab.engineapi;

/** How a partition is used (Cruz 2016, §3.2.2, Stage C). */
public enum AccessClass {
  READ,
  WRITE,
  READ_WRITE,
  SCAN
}

package io.trimtab.lab.cluster;

/** Whether a lab outlives the process that started it. */
public enum Owner {
  /** The lab is taken down when the process that started it ends, however it ends. */
  PROCESS,
  /** The lab stays until {@link HBaseLab#down()}. */
  NONE
}

package io.trimtab.controller.policy;

/** What a policy may need to know beside snapshots; whoever runs it sees to that. */
public enum Need {
  /** Where the requests of partitions halve; gathered unless {@code split.enabled} is false. */
  HINTS,

  /** How often the blocks of partitions are asked for. */
  HISTOGRAMS,

  /** What loads use of a node: the file of {@code usage.model}. */
  MODEL,

  /** An agreement and what clients report: {@code slo.sla} and {@code slo.tables}. */
  SERVICE
}

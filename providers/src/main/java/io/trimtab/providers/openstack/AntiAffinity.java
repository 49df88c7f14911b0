package io.trimtab.providers.openstack;

/** Whether servers of a cluster are kept on different hosts. */
public enum AntiAffinity {
  NONE(""),
  /** As far as there are hosts. */
  SOFT("soft-anti-affinity"),
  /** A server for which there is no other host is not started. */
  HARD("anti-affinity");

  /** As Nova calls it; empty for none. */
  final String policy;

  AntiAffinity(String policy) {
    this.policy = policy;
  }
}

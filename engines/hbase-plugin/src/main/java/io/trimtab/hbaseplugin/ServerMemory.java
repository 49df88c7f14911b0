package io.trimtab.hbaseplugin;

/** The two parts of a RegionServer's heap that can be resized while it runs; bytes throughout. */
interface ServerMemory {

  /** Why this server can't be resized at all, one line; empty when it can. */
  String notResizable();

  long heapMaxBytes();

  long cacheMaxBytes();

  /** Evicts at once what no longer fits. */
  void setCacheMaxBytes(long bytes);

  long memstoreMaxBytes();

  long memstoreUsedBytes();

  /** Blocks the caller, and updates, while the memstores hold more. */
  void setMemstoreMaxBytes(long bytes);

  /** Starts flushes that bring the memstores down to about {@code bytes}; does not wait. */
  void flushDownTo(long bytes);
}

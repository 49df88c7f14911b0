package io.trimtab.hbaseplugin;

import java.util.Map;

/** Where the requests of this server's regions halve, and how they fall on blocks, for JMX. */
public interface RequestsMXBean {

  /** By the region's encoded name. */
  Map<String, RegionView> getRegions();

  /** One region's. */
  interface RegionView {
    /** {@code split}, {@code wait}, {@code unsplittable-hot-key} or {@code not-worth-it}. */
    String getVerdict();

    /**
     * As HBase's shell writes it; empty where there is none, and unless the server's setting {@code
     * trimtab.jmx.keys} is true.
     */
    String getKey();

    /** Share of the requests left of the key, in [0, 1]; −1 where there is no key. */
    double getLeftShare();

    /** How far the share may be from the truth, at 95 %, in [0, 1]. */
    double getBound();

    /** Requests that this rests on. */
    long getRequests();

    String getReason();

    /** Data blocks of the largest store file; −1 before histograms are first requested. */
    int getBlocks();

    /** Reads of these blocks that are remembered; −1 before. */
    long getBlockReads();

    /** Mean calls for rows that a scanner was sent, the one that opened it included; 0 without. */
    double getCallsPerScan();

    /** Mean rows that a scanner returned over all its calls; 0 without scans. */
    double getRowsPerScan();

    /** Mean cells in a row that a scanner returned; 0 without scans. */
    double getCellsPerRow();

    /** Mean blocks that a scanner read over all its calls; 0 without scans. */
    double getBlocksPerScan();
  }
}

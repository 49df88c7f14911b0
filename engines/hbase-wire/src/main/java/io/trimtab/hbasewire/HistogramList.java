package io.trimtab.hbasewire;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.trimtab.plugincore.BlockAccesses;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/** How often the blocks of a RegionServer's regions are requested, on the wire. */
public final class HistogramList {

  /** One region's. */
  public static final class RegionHistogram {
    private final Message message;

    private RegionHistogram(Message message) {
      this.message = message;
    }

    private Object get(String name) {
      return message.getField(histogram(name));
    }

    /** Encoded name. */
    public String region() {
      return (String) get("region");
    }

    /** Pairs of a count and a number of blocks. */
    public int size() {
      return message.getRepeatedFieldCount(histogram("count"));
    }

    /** How often each of the pair's blocks was requested, ≥ 0. */
    public double count(int pair) {
      return (Double) message.getRepeatedField(histogram("count"), pair);
    }

    /** Blocks that have the count. */
    public double blocks(int pair) {
      return (Double) message.getRepeatedField(histogram("blocks"), pair);
    }

    /** Mean size of a block in the cache, in bytes. */
    public double blockBytes() {
      return (Double) get("block_bytes");
    }

    /** Scanners that were opened in the time that all counts of scans cover. */
    public long scans() {
      return (Long) get("scans");
    }

    /** Calls that they were sent for rows; 0 from version 0.1.0, which did not count them. */
    public long scanCalls() {
      return (Long) get("scan_calls");
    }

    /** Rows that these calls returned. */
    public long scanRows() {
      return (Long) get("scan_rows");
    }

    /** Cells in these rows; 0 as for calls. */
    public long scanCells() {
      return (Long) get("scan_cells");
    }

    /** Data blocks that these calls asked for. */
    public long scanBlocks() {
      return (Long) get("scan_blocks");
    }

    /** Whether there are no pairs because there are no blocks: all of the region is in memory. */
    public boolean noFiles() {
      return (Boolean) get("no_files");
    }

    /** Why there are no pairs; empty where there are. */
    public String reason() {
      return (String) get("reason");
    }
  }

  /** Makes a list, region by region. */
  public static final class Builder {
    private final DynamicMessage.Builder list =
        DynamicMessage.newBuilder(NodeProtocol.HISTOGRAM_LIST)
            .setField(
                NodeProtocol.HISTOGRAM_LIST.findFieldByName("protocol"), NodeProtocol.VERSION);

    public Builder add(String region, BlockAccesses accesses, double scale, double blockBytes) {
      BlockAccesses.Histogram pairs = accesses.histogram();
      DynamicMessage.Builder one =
          DynamicMessage.newBuilder(NodeProtocol.REGION_HISTOGRAM)
              .setField(histogram("region"), region)
              .setField(histogram("block_bytes"), blockBytes)
              .setField(histogram("scans"), accesses.scans().opened())
              .setField(histogram("scan_calls"), accesses.scans().calls())
              .setField(histogram("scan_rows"), accesses.scans().rows())
              .setField(histogram("scan_cells"), accesses.scans().cells())
              .setField(histogram("scan_blocks"), accesses.scans().blocks());
      for (int i = 0; i < pairs.size(); i++) {
        // The same number of requests on more blocks than the only file that counts blocks has.
        one.addRepeatedField(histogram("count"), pairs.count(i) / scale);
        one.addRepeatedField(histogram("blocks"), pairs.blocks(i) * scale);
      }
      return put(one.build());
    }

    public Builder add(String region, SortedMap<Integer, Integer> bins, double blockBytes) {
      DynamicMessage.Builder one =
          DynamicMessage.newBuilder(NodeProtocol.REGION_HISTOGRAM)
              .setField(histogram("region"), region)
              .setField(histogram("block_bytes"), blockBytes);
      bins.forEach(
          (count, blocks) -> {
            one.addRepeatedField(histogram("count"), count.doubleValue());
            one.addRepeatedField(histogram("blocks"), blocks.doubleValue());
          });
      return put(one.build());
    }

    public Builder addWithoutFiles(String region) {
      return put(
          DynamicMessage.newBuilder(NodeProtocol.REGION_HISTOGRAM)
              .setField(histogram("region"), region)
              .setField(histogram("reason"), "it has no store file yet")
              .setField(histogram("no_files"), true)
              .build());
    }

    public Builder add(String region, String reason) {
      return put(
          DynamicMessage.newBuilder(NodeProtocol.REGION_HISTOGRAM)
              .setField(histogram("region"), region)
              .setField(histogram("reason"), reason)
              .build());
    }

    private Builder put(Message one) {
      list.addRepeatedField(NodeProtocol.HISTOGRAM_LIST.findFieldByName("region"), one);
      return this;
    }

    public Message message() {
      return list.build();
    }
  }

  private final List<RegionHistogram> regions;

  private HistogramList(List<RegionHistogram> regions) {
    this.regions = Collections.unmodifiableList(regions);
  }

  public List<RegionHistogram> regions() {
    return regions;
  }

  public static Message request() {
    return DynamicMessage.newBuilder(NodeProtocol.HISTOGRAMS_REQUEST)
        .setField(NodeProtocol.HISTOGRAMS_REQUEST.findFieldByName("protocol"), NodeProtocol.VERSION)
        .build();
  }

  /** An empty list, from which HBase makes those that it reads. */
  public static Message prototype() {
    return DynamicMessage.getDefaultInstance(NodeProtocol.HISTOGRAM_LIST);
  }

  /** Takes a list off the wire; fields of later versions are skipped. */
  public static HistogramList parse(byte[] bytes) throws InvalidProtocolBufferException {
    Message list = DynamicMessage.parseFrom(NodeProtocol.HISTOGRAM_LIST, bytes);
    FieldDescriptor region = NodeProtocol.HISTOGRAM_LIST.findFieldByName("region");
    List<RegionHistogram> regions = new ArrayList<>();
    for (int i = 0; i < list.getRepeatedFieldCount(region); i++) {
      regions.add(new RegionHistogram((Message) list.getRepeatedField(region, i)));
    }
    return new HistogramList(regions);
  }

  private static FieldDescriptor histogram(String name) {
    return NodeProtocol.REGION_HISTOGRAM.findFieldByName(name);
  }
}

package io.trimtab.hbasewire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.trimtab.plugincore.SplitAdvice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Where the requests of a RegionServer's regions halve, on the wire. */
public final class SplitList {

  /** One region's. */
  public static final class RegionSplit {
    private final Message message;

    private RegionSplit(Message message) {
      this.message = message;
    }

    private Object get(String name) {
      return message.getField(split(name));
    }

    /** Encoded name. */
    public String region() {
      return (String) get("region");
    }

    /** A {@link SplitAdvice.Verdict} in words. */
    public String verdict() {
      return (String) get("verdict");
    }

    /** First key of the right half, or the hot key; empty where there is none. */
    public byte[] key() {
      return ((ByteString) get("key")).toByteArray();
    }

    /** Share of the requests left of the key, in [0, 1]; NaN where there is no key. */
    public double leftShare() {
      return (Double) get("left_share");
    }

    /** How far the share may be from the truth, at 95 %, in [0, 1]. */
    public double bound() {
      return (Double) get("bound");
    }

    /** Requests that this rests on. */
    public long requests() {
      return (Long) get("requests");
    }

    public String reason() {
      return (String) get("reason");
    }
  }

  private final List<RegionSplit> regions;

  private SplitList(List<RegionSplit> regions) {
    this.regions = Collections.unmodifiableList(regions);
  }

  public List<RegionSplit> regions() {
    return regions;
  }

  public static Message request() {
    return DynamicMessage.newBuilder(NodeProtocol.SPLITS_REQUEST)
        .setField(NodeProtocol.SPLITS_REQUEST.findFieldByName("protocol"), NodeProtocol.VERSION)
        .build();
  }

  /** An empty list, from which HBase makes those that it reads. */
  public static Message prototype() {
    return DynamicMessage.getDefaultInstance(NodeProtocol.SPLIT_LIST);
  }

  public static Message message(Map<String, SplitAdvice> all) {
    DynamicMessage.Builder list =
        DynamicMessage.newBuilder(NodeProtocol.SPLIT_LIST)
            .setField(NodeProtocol.SPLIT_LIST.findFieldByName("protocol"), NodeProtocol.VERSION);
    all.forEach(
        (region, advice) ->
            list.addRepeatedField(
                NodeProtocol.SPLIT_LIST.findFieldByName("region"),
                DynamicMessage.newBuilder(NodeProtocol.REGION_SPLIT)
                    .setField(split("region"), region)
                    .setField(split("verdict"), advice.verdict().toString())
                    .setField(split("key"), ByteString.copyFrom(advice.key()))
                    .setField(split("left_share"), advice.leftShare())
                    .setField(split("bound"), advice.bound())
                    .setField(split("requests"), advice.requests())
                    .setField(split("reason"), advice.reason())
                    .build()));
    return list.build();
  }

  /** Takes a list off the wire; fields of later versions are skipped. */
  public static SplitList parse(byte[] bytes) throws InvalidProtocolBufferException {
    Message list = DynamicMessage.parseFrom(NodeProtocol.SPLIT_LIST, bytes);
    FieldDescriptor region = NodeProtocol.SPLIT_LIST.findFieldByName("region");
    List<RegionSplit> regions = new ArrayList<>();
    for (int i = 0; i < list.getRepeatedFieldCount(region); i++) {
      regions.add(new RegionSplit((Message) list.getRepeatedField(region, i)));
    }
    return new SplitList(regions);
  }

  private static FieldDescriptor split(String name) {
    return NodeProtocol.REGION_SPLIT.findFieldByName(name);
  }
}

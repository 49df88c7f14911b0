package io.trimtab.hbasewire;

import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;

/** What one server knows of a region's requests, for the server where it goes next. */
public final class RegionHistory {
  private final Message message;

  private RegionHistory(Message message) {
    this.message = message;
  }

  public static RegionHistory of(String region, byte[] accesses) {
    return new RegionHistory(
        DynamicMessage.newBuilder(NodeProtocol.REGION_HISTORY)
            .setField(NodeProtocol.REGION_HISTORY.findFieldByName("protocol"), NodeProtocol.VERSION)
            .setField(NodeProtocol.REGION_HISTORY.findFieldByName("region"), region)
            .setField(
                NodeProtocol.REGION_HISTORY.findFieldByName("accesses"),
                ByteString.copyFrom(accesses))
            .build());
  }

  public static RegionHistory of(Message message) {
    return new RegionHistory(message);
  }

  /** Takes it off the wire; fields of later versions are skipped. */
  public static RegionHistory parse(byte[] bytes) throws InvalidProtocolBufferException {
    return of(DynamicMessage.parseFrom(NodeProtocol.REGION_HISTORY, bytes));
  }

  /** An empty one, from which HBase makes those that it reads. */
  public static Message prototype() {
    return DynamicMessage.getDefaultInstance(NodeProtocol.REGION_HISTORY);
  }

  public Message message() {
    return message;
  }

  /** Encoded name. */
  public String region() {
    return (String) message.getField(NodeProtocol.REGION_HISTORY.findFieldByName("region"));
  }

  /** In the form of {@link io.trimtab.plugincore.BlockAccesses}; empty where nothing is known. */
  public byte[] accesses() {
    return ((ByteString) message.getField(NodeProtocol.REGION_HISTORY.findFieldByName("accesses")))
        .toByteArray();
  }
}

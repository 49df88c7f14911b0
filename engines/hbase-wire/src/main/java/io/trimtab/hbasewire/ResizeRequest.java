package io.trimtab.hbasewire;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;

/** Asks for a memory split, in shares of the heap. */
public final class ResizeRequest {
  private final double cacheFraction;
  private final double memstoreFraction;
  private final boolean force;

  /**
   * @param cacheFraction block cache, in (0, 1)
   * @param memstoreFraction memstore limit, in (0, 1)
   * @param force lowers the memstore limit even while the memstores hold more, which blocks updates
   *     until enough of them is flushed
   */
  public ResizeRequest(double cacheFraction, double memstoreFraction, boolean force) {
    this.cacheFraction = cacheFraction;
    this.memstoreFraction = memstoreFraction;
    this.force = force;
  }

  /** Reads a request of any version; a missing fraction is NaN, which no server accepts. */
  public static ResizeRequest of(Message message) {
    return new ResizeRequest(
        fraction(message, "cache_fraction"),
        fraction(message, "memstore_fraction"),
        (Boolean) message.getField(field("force")));
  }

  private static double fraction(Message message, String name) {
    FieldDescriptor field = field(name);
    return message.hasField(field) ? (Double) message.getField(field) : Double.NaN;
  }

  private static FieldDescriptor field(String name) {
    return NodeProtocol.RESIZE_REQUEST.findFieldByName(name);
  }

  public Message message() {
    return DynamicMessage.newBuilder(NodeProtocol.RESIZE_REQUEST)
        .setField(field("protocol"), NodeProtocol.VERSION)
        .setField(field("cache_fraction"), cacheFraction)
        .setField(field("memstore_fraction"), memstoreFraction)
        .setField(field("force"), force)
        .build();
  }

  /** A request for a report. */
  public static Message report() {
    return DynamicMessage.newBuilder(NodeProtocol.REPORT_REQUEST)
        .setField(NodeProtocol.REPORT_REQUEST.findFieldByName("protocol"), NodeProtocol.VERSION)
        .build();
  }

  public double cacheFraction() {
    return cacheFraction;
  }

  public double memstoreFraction() {
    return memstoreFraction;
  }

  public boolean force() {
    return force;
  }
}

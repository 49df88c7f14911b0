package io.trimtab.hbasewire;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.util.Locale;

/**
 * What a RegionServer's plug-in says about its process and its machine. Numbers that the other
 * side's version does not send, or can't tell, are −1; texts are empty.
 */
public final class NodeReport {

  /** The fields with their numbers on the wire; a number is never used for something else. */
  public enum Field {
    /** The highest version of the protocol that the plug-in speaks. */
    PROTOCOL(1, Type.TYPE_INT32),
    PLUGIN_VERSION(2, Type.TYPE_STRING),
    HEAP_MAX_BYTES(3, Type.TYPE_INT64),
    /** The most that the block cache may hold on the heap. */
    CACHE_MAX_BYTES(4, Type.TYPE_INT64),
    /** What it holds on the heap. */
    CACHE_USED_BYTES(5, Type.TYPE_INT64),
    CACHE_CLASS(6, Type.TYPE_STRING),
    /** Updates block when all memstores together reach this. */
    MEMSTORE_MAX_BYTES(7, Type.TYPE_INT64),
    MEMSTORE_USED_BYTES(8, Type.TYPE_INT64),
    /** Why a resize was refused or failed; one line. */
    REFUSAL(9, Type.TYPE_STRING),
    /** Whether a resize waits for flushes and must be asked for again. */
    PENDING(10, Type.TYPE_BOOL),
    /** Why this server can't be resized at all; one line. */
    NOT_RESIZABLE(11, Type.TYPE_STRING),
    /** Exceptions inside the plug-in since the server started. */
    FAILURES(12, Type.TYPE_INT64),
    /** The machine's CPU time since it booted, in milliseconds summed over its cores. */
    CPU_USER_MS(13, Type.TYPE_INT64),
    CPU_SYSTEM_MS(14, Type.TYPE_INT64),
    CPU_IO_WAIT_MS(15, Type.TYPE_INT64),
    CPU_IDLE_MS(16, Type.TYPE_INT64),
    /** The machine's five-minute load average, in thousandths. */
    LOAD5_MILLI(17, Type.TYPE_INT64),
    CORES(18, Type.TYPE_INT64),
    /** Blocks that were read into the cache on request. */
    WARMED(19, Type.TYPE_INT64),
    /** Regions whose requests are followed. */
    FOLLOWED(20, Type.TYPE_INT64),
    /** Blocks that were dropped from the cache on request. */
    EVICTED(21, Type.TYPE_INT64),
    /** Capacity of the bucket cache, which is where data blocks are then; 0 without one. */
    BUCKET_MAX_BYTES(22, Type.TYPE_INT64),
    BUCKET_USED_BYTES(23, Type.TYPE_INT64),
    /** Blocks in the whole block cache, those of indexes and Bloom filters included. */
    CACHED_BLOCKS(24, Type.TYPE_INT64);

    private final int number;
    private final Type type;

    Field(int number, Type type) {
      this.number = number;
      this.type = type;
    }

    int number() {
      return number;
    }

    Type type() {
      return type;
    }

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }

    FieldDescriptor descriptor() {
      return NodeProtocol.NODE_REPORT.findFieldByNumber(number);
    }
  }

  private final Message message;

  private NodeReport(Message message) {
    this.message = message;
  }

  /** Takes a report off the wire; fields of later versions are skipped. */
  public static NodeReport parse(byte[] bytes) throws InvalidProtocolBufferException {
    return new NodeReport(DynamicMessage.parseFrom(NodeProtocol.NODE_REPORT, bytes));
  }

  public static Builder builder() {
    return new Builder();
  }

  /** An empty report, from which HBase makes those that it reads. */
  public static Message prototype() {
    return DynamicMessage.getDefaultInstance(NodeProtocol.NODE_REPORT);
  }

  public Message message() {
    return message;
  }

  /** A number, −1 where the other side did not send it. */
  public long number(Field field) {
    FieldDescriptor descriptor = field.descriptor();
    return message.hasField(descriptor) ? ((Number) message.getField(descriptor)).longValue() : -1;
  }

  /** A text, empty where the other side did not send it. */
  public String text(Field field) {
    return (String) message.getField(field.descriptor());
  }

  /** A flag, false where the other side did not send it. */
  public boolean flag(Field field) {
    return (Boolean) message.getField(field.descriptor());
  }

  /** Collects a report. */
  public static final class Builder {
    private final DynamicMessage.Builder fields =
        DynamicMessage.newBuilder(NodeProtocol.NODE_REPORT);

    private Builder() {
      fields.setField(Field.PROTOCOL.descriptor(), NodeProtocol.VERSION);
    }

    public Builder put(Field field, long value) {
      fields.setField(field.descriptor(), value);
      return this;
    }

    public Builder put(Field field, boolean value) {
      fields.setField(field.descriptor(), value);
      return this;
    }

    public Builder put(Field field, String value) {
      fields.setField(field.descriptor(), value);
      return this;
    }

    public NodeReport build() {
      return new NodeReport(fields.build());
    }
  }
}

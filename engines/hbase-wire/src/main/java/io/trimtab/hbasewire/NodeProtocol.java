package io.trimtab.hbasewire;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldOptions;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;

/**
 * The wire format of {@code NodeService}, version {@value #VERSION}: Protocol Buffers, as HBase's
 * coprocessor calls demand. The descriptors are built here instead of being generated, so that the
 * build needs no {@code protoc} executable.
 *
 * <p>Rules for later versions: numbers are never used again, fields and methods are only added,
 * every field is optional, and both sides skip what they do not know. A plug-in that lacks a method
 * is too old for what the controller wants of it, and for nothing else.
 *
 * <p>Version 1 had the same messages under the service name {@code ProfileService}. The plug-in
 * still serves it, and the controller uses it if the new name is not served.
 */
public final class NodeProtocol {
  public static final int VERSION = 2;

  private static final String NAME = "NodeService";
  private static final String NAME_OF_VERSION_1 = "ProfileService";

  static final FileDescriptor FILE = file();

  public static final ServiceDescriptor SERVICE = FILE.findServiceByName(NAME);

  /** The same methods under the service's name in version 1. */
  public static final ServiceDescriptor SERVICE_OF_VERSION_1 =
      FILE.findServiceByName(NAME_OF_VERSION_1);

  /** Tells the node's memory split; changes nothing. */
  public static final MethodDescriptor REPORT = SERVICE.findMethodByName("Report");

  /** Changes the memory split as far as possible at once, and returns the result. */
  public static final MethodDescriptor RESIZE = SERVICE.findMethodByName("Resize");

  /** Flushes a region and lists its blocks in the server's cache. */
  public static final MethodDescriptor CACHED = SERVICE.findMethodByName("Cached");

  /** Reads blocks into the server's cache. */
  public static final MethodDescriptor WARM = SERVICE.findMethodByName("Warm");

  /** Drops the blocks of files whose region has left from the server's cache. */
  public static final MethodDescriptor EVICT = SERVICE.findMethodByName("Evict");

  /** Tells where the requests of the server's regions halve. */
  public static final MethodDescriptor SPLITS = SERVICE.findMethodByName("Splits");

  /** Returns how often the blocks of the server's regions are requested. */
  public static final MethodDescriptor HISTOGRAMS = SERVICE.findMethodByName("Histograms");

  /** The same, counted exactly, where the server has something that counts. */
  public static final MethodDescriptor EXACT_HISTOGRAMS =
      SERVICE.findMethodByName("ExactHistograms");

  /** Returns the observed requests of a region. */
  public static final MethodDescriptor HISTORY = SERVICE.findMethodByName("History");

  /** Takes over what another server knows of a region that is about to move here. */
  public static final MethodDescriptor INHERIT = SERVICE.findMethodByName("Inherit");

  static final Descriptor REPORT_REQUEST = FILE.findMessageTypeByName("ReportRequest");
  static final Descriptor RESIZE_REQUEST = FILE.findMessageTypeByName("ResizeRequest");
  static final Descriptor CACHED_REQUEST = FILE.findMessageTypeByName("CachedRequest");
  static final Descriptor BLOCK_LIST = FILE.findMessageTypeByName("BlockList");
  static final Descriptor FILE_BLOCKS = FILE.findMessageTypeByName("FileBlocks");
  static final Descriptor SPLITS_REQUEST = FILE.findMessageTypeByName("SplitsRequest");
  static final Descriptor SPLIT_LIST = FILE.findMessageTypeByName("SplitList");
  static final Descriptor REGION_SPLIT = FILE.findMessageTypeByName("RegionSplit");
  static final Descriptor HISTOGRAMS_REQUEST = FILE.findMessageTypeByName("HistogramsRequest");
  static final Descriptor HISTOGRAM_LIST = FILE.findMessageTypeByName("HistogramList");
  static final Descriptor REGION_HISTORY = FILE.findMessageTypeByName("RegionHistory");
  static final Descriptor REGION_HISTOGRAM = FILE.findMessageTypeByName("RegionHistogram");
  static final Descriptor NODE_REPORT = FILE.findMessageTypeByName("NodeReport");

  private NodeProtocol() {}

  private static FileDescriptor file() {
    FileDescriptorProto proto =
        FileDescriptorProto.newBuilder()
            .setName("trimtab/node.proto")
            .setPackage("trimtab")
            .addMessageType(request("ReportRequest"))
            .addMessageType(resizeRequest())
            .addMessageType(nodeReport())
            .addMessageType(cachedRequest())
            .addMessageType(fileBlocks())
            .addMessageType(blockList())
            .addMessageType(request("SplitsRequest"))
            .addMessageType(request("HistogramsRequest"))
            .addMessageType(regionHistogram())
            .addMessageType(regionHistory())
            .addMessageType(list("HistogramList", "RegionHistogram"))
            .addMessageType(regionSplit())
            .addMessageType(list("SplitList", "RegionSplit"))
            .addService(service(NAME))
            .addService(service(NAME_OF_VERSION_1))
            .build();
    try {
      return FileDescriptor.buildFrom(proto, new FileDescriptor[0]);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException("the endpoint's wire format contradicts itself", e);
    }
  }

  /** The method as version 1 calls it. */
  public static MethodDescriptor ofVersion1(MethodDescriptor method) {
    return SERVICE_OF_VERSION_1.findMethodByName(method.getName());
  }

  private static ServiceDescriptorProto service(String name) {
    return ServiceDescriptorProto.newBuilder()
        .setName(name)
        .addMethod(method("Report", "ReportRequest", "NodeReport"))
        .addMethod(method("Resize", "ResizeRequest", "NodeReport"))
        .addMethod(method("Cached", "CachedRequest", "BlockList"))
        .addMethod(method("Warm", "BlockList", "NodeReport"))
        .addMethod(method("Splits", "SplitsRequest", "SplitList"))
        .addMethod(method("Histograms", "HistogramsRequest", "HistogramList"))
        .addMethod(method("ExactHistograms", "HistogramsRequest", "HistogramList"))
        .addMethod(method("History", "CachedRequest", "RegionHistory"))
        .addMethod(method("Inherit", "RegionHistory", "NodeReport"))
        .addMethod(method("Evict", "BlockList", "NodeReport"))
        .build();
  }

  /** A request that asks for nothing in particular. */
  private static DescriptorProto request(String name) {
    return DescriptorProto.newBuilder()
        .setName(name)
        .addField(field(1, "protocol", FieldDescriptorProto.Type.TYPE_INT32))
        .build();
  }

  /** An answer with something of each region. */
  private static DescriptorProto list(String name, String element) {
    return DescriptorProto.newBuilder()
        .setName(name)
        .addField(field(1, "protocol", FieldDescriptorProto.Type.TYPE_INT32))
        .addField(
            field(2, "region", FieldDescriptorProto.Type.TYPE_MESSAGE).toBuilder()
                .setTypeName(".trimtab." + element)
                .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
        .build();
  }

  private static DescriptorProto regionHistogram() {
    return DescriptorProto.newBuilder()
        .setName("RegionHistogram")
        .addField(field(1, "region", FieldDescriptorProto.Type.TYPE_STRING))
        .addField(packed(2, "count", FieldDescriptorProto.Type.TYPE_DOUBLE))
        .addField(packed(3, "blocks", FieldDescriptorProto.Type.TYPE_DOUBLE))
        .addField(field(4, "block_bytes", FieldDescriptorProto.Type.TYPE_DOUBLE))
        .addField(field(5, "scans", FieldDescriptorProto.Type.TYPE_INT64))
        .addField(field(6, "scan_rows", FieldDescriptorProto.Type.TYPE_INT64))
        .addField(field(7, "scan_blocks", FieldDescriptorProto.Type.TYPE_INT64))
        .addField(field(8, "reason", FieldDescriptorProto.Type.TYPE_STRING))
        .addField(field(9, "no_files", FieldDescriptorProto.Type.TYPE_BOOL))
        .addField(field(10, "scan_calls", FieldDescriptorProto.Type.TYPE_INT64))
        .addField(field(11, "scan_cells", FieldDescriptorProto.Type.TYPE_INT64))
        .build();
  }

  private static DescriptorProto resizeRequest() {
    return DescriptorProto.newBuilder()
        .setName("ResizeRequest")
        .addField(field(1, "protocol", FieldDescriptorProto.Type.TYPE_INT32))
        .addField(field(2, "cache_fraction", FieldDescriptorProto.Type.TYPE_DOUBLE))
        .addField(field(3, "memstore_fraction", FieldDescriptorProto.Type.TYPE_DOUBLE))
        .addField(field(4, "force", FieldDescriptorProto.Type.TYPE_BOOL))
        .addField(epoch(5))
        .build();
  }

  private static DescriptorProto cachedRequest() {
    return DescriptorProto.newBuilder()
        .setName("CachedRequest")
        .addField(field(1, "protocol", FieldDescriptorProto.Type.TYPE_INT32))
        .addField(field(2, "region", FieldDescriptorProto.Type.TYPE_STRING))
        .addField(epoch(3))
        .build();
  }

  private static DescriptorProto fileBlocks() {
    return DescriptorProto.newBuilder()
        .setName("FileBlocks")
        .addField(field(1, "path", FieldDescriptorProto.Type.TYPE_STRING))
        .addField(packed(2, "offset", FieldDescriptorProto.Type.TYPE_INT64))
        .build();
  }

  private static DescriptorProto blockList() {
    return DescriptorProto.newBuilder()
        .setName("BlockList")
        .addField(field(1, "protocol", FieldDescriptorProto.Type.TYPE_INT32))
        .addField(field(2, "refusal", FieldDescriptorProto.Type.TYPE_STRING))
        .addField(
            field(3, "file", FieldDescriptorProto.Type.TYPE_MESSAGE).toBuilder()
                .setTypeName(".trimtab.FileBlocks")
                .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
        .addField(epoch(4))
        .build();
  }

  private static DescriptorProto regionHistory() {
    return DescriptorProto.newBuilder()
        .setName("RegionHistory")
        .addField(field(1, "protocol", FieldDescriptorProto.Type.TYPE_INT32))
        .addField(field(2, "region", FieldDescriptorProto.Type.TYPE_STRING))
        .addField(field(3, "accesses", FieldDescriptorProto.Type.TYPE_BYTES))
        .addField(epoch(4))
        .build();
  }

  private static DescriptorProto regionSplit() {
    return DescriptorProto.newBuilder()
        .setName("RegionSplit")
        .addField(field(1, "region", FieldDescriptorProto.Type.TYPE_STRING))
        .addField(field(2, "verdict", FieldDescriptorProto.Type.TYPE_STRING))
        .addField(field(3, "key", FieldDescriptorProto.Type.TYPE_BYTES))
        .addField(field(4, "left_share", FieldDescriptorProto.Type.TYPE_DOUBLE))
        .addField(field(5, "bound", FieldDescriptorProto.Type.TYPE_DOUBLE))
        .addField(field(6, "requests", FieldDescriptorProto.Type.TYPE_INT64))
        .addField(field(7, "reason", FieldDescriptorProto.Type.TYPE_STRING))
        .build();
  }

  private static DescriptorProto nodeReport() {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName("NodeReport");
    for (NodeReport.Field field : NodeReport.Field.values()) {
      message.addField(field(field.number(), field.wireName(), field.type()));
    }
    return message.build();
  }

  private static FieldDescriptorProto field(
      int number, String name, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setNumber(number)
        .setName(name)
        .setType(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
        .build();
  }

  private static FieldDescriptorProto epoch(int number) {
    return field(number, ControllerEpoch.FIELD, FieldDescriptorProto.Type.TYPE_INT64);
  }

  private static FieldDescriptorProto packed(
      int number, String name, FieldDescriptorProto.Type type) {
    return field(number, name, type).toBuilder()
        .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED)
        .setOptions(FieldOptions.newBuilder().setPacked(true))
        .build();
  }

  private static MethodDescriptorProto method(String name, String input, String output) {
    return MethodDescriptorProto.newBuilder()
        .setName(name)
        .setInputType(".trimtab." + input)
        .setOutputType(".trimtab." + output)
        .build();
  }
}

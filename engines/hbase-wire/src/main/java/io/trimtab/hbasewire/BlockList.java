package io.trimtab.hbasewire;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Blocks of a region's store files: those that one RegionServer holds in its cache, and that
 * another is to read before the region moves there.
 */
public final class BlockList {

  /** Blocks of one store file. */
  public static final class FileBlocks {
    private final String path;
    private final List<Long> offsets;

    /**
     * @param path of the store file, absolute
     * @param offsets of the blocks in bytes, ascending; empty for all blocks of the file
     */
    public FileBlocks(String path, List<Long> offsets) {
      this.path = path;
      this.offsets = Collections.unmodifiableList(new ArrayList<>(offsets));
    }

    public String path() {
      return path;
    }

    public List<Long> offsets() {
      return offsets;
    }
  }

  private final List<FileBlocks> files;
  private final String refusal;

  private BlockList(List<FileBlocks> files, String refusal) {
    this.files = Collections.unmodifiableList(new ArrayList<>(files));
    this.refusal = refusal;
  }

  public static BlockList of(List<FileBlocks> files) {
    return new BlockList(files, "");
  }

  public static BlockList refused(String why) {
    return new BlockList(Collections.emptyList(), why);
  }

  public List<FileBlocks> files() {
    return files;
  }

  /** Why there is no list; empty where there is one. */
  public String refusal() {
    return refusal;
  }

  /** A request for the list of a region, which is flushed first. */
  public static Message request(String encodedRegion) {
    return DynamicMessage.newBuilder(NodeProtocol.CACHED_REQUEST)
        .setField(NodeProtocol.CACHED_REQUEST.findFieldByName("protocol"), NodeProtocol.VERSION)
        .setField(NodeProtocol.CACHED_REQUEST.findFieldByName("region"), encodedRegion)
        .build();
  }

  public static String region(Message request) {
    return (String) request.getField(NodeProtocol.CACHED_REQUEST.findFieldByName("region"));
  }

  /** An empty list, from which HBase makes those that it reads. */
  public static Message prototype() {
    return DynamicMessage.getDefaultInstance(NodeProtocol.BLOCK_LIST);
  }

  public Message message() {
    DynamicMessage.Builder list =
        DynamicMessage.newBuilder(NodeProtocol.BLOCK_LIST)
            .setField(list("protocol"), NodeProtocol.VERSION)
            .setField(list("refusal"), refusal);
    for (FileBlocks file : files) {
      DynamicMessage.Builder blocks =
          DynamicMessage.newBuilder(NodeProtocol.FILE_BLOCKS).setField(file("path"), file.path());
      for (Long offset : file.offsets()) {
        blocks.addRepeatedField(file("offset"), offset);
      }
      list.addRepeatedField(list("file"), blocks.build());
    }
    return list.build();
  }

  /** Takes a list off the wire; fields of later versions are skipped. */
  public static BlockList parse(byte[] bytes) throws InvalidProtocolBufferException {
    return of(DynamicMessage.parseFrom(NodeProtocol.BLOCK_LIST, bytes));
  }

  public static BlockList of(Message list) {
    List<FileBlocks> files = new ArrayList<>();
    for (int i = 0; i < list.getRepeatedFieldCount(list("file")); i++) {
      Message blocks = (Message) list.getRepeatedField(list("file"), i);
      List<Long> offsets = new ArrayList<>();
      for (int j = 0; j < blocks.getRepeatedFieldCount(file("offset")); j++) {
        offsets.add((Long) blocks.getRepeatedField(file("offset"), j));
      }
      files.add(new FileBlocks((String) blocks.getField(file("path")), offsets));
    }
    return new BlockList(files, (String) list.getField(list("refusal")));
  }

  private static FieldDescriptor list(String name) {
    return NodeProtocol.BLOCK_LIST.findFieldByName(name);
  }

  private static FieldDescriptor file(String name) {
    return NodeProtocol.FILE_BLOCKS.findFieldByName(name);
  }
}

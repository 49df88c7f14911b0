package io.trimtab.hbaseplugin;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlockIndex.BlockIndexReader;
import org.apache.hadoop.hbase.nio.ByteBuff;

/** Reads the first row key of each data block from a store file's block index. */
public final class BlockIndex {
  /** Of an entry in an index block below the root: the block's offset and its size on disk. */
  private static final int ENTRY_HEAD = Long.BYTES + Integer.BYTES;

  private BlockIndex() {}

  /** Returns the next index block after the root instead of reading it. */
  private static final class Probe implements HFile.CachingBlockReader {
    private long offset = -1;
    private long size;

    @Override
    public HFileBlock readBlock(
        long blockOffset,
        long onDiskSize,
        boolean cacheBlock,
        boolean pread,
        boolean isCompaction,
        boolean updateMetrics,
        BlockType expectedType,
        DataBlockEncoding expectedEncoding)
        throws IOException {
      return stop(blockOffset, onDiskSize);
    }

    @Override
    public HFileBlock readBlock(
        long blockOffset,
        long onDiskSize,
        boolean cacheBlock,
        boolean pread,
        boolean isCompaction,
        boolean updateMetrics,
        BlockType expectedType,
        DataBlockEncoding expectedEncoding,
        boolean cacheOnly)
        throws IOException {
      return stop(blockOffset, onDiskSize);
    }

    private HFileBlock stop(long blockOffset, long onDiskSize) throws IOException {
      offset = blockOffset;
      size = onDiskSize;
      throw new IOException("no farther");
    }
  }

  /**
   * The keys, ascending.
   *
   * @throws IOException also where this version of HBase keeps its index in another way
   */
  public static List<byte[]> firstRows(HFile.Reader reader) throws IOException {
    BlockIndexReader index = reader.getDataBlockIndexReader();
    int levels = reader.getTrailer().getNumDataIndexLevels();
    List<byte[]> rows = new ArrayList<>();
    for (Cell key : root(index)) {
      if (levels <= 1) {
        rows.add(CellUtil.cloneRow(key));
      } else {
        Probe probe = probe(index, key);
        below(reader, probe.offset, probe.size, levels - 1, rows);
      }
    }
    return Collections.unmodifiableList(rows);
  }

  /** The index's class is HBase's own; only its method is public. */
  private static List<Cell> root(BlockIndexReader index) throws IOException {
    List<Cell> keys = new ArrayList<>();
    try {
      Method key = index.getClass().getMethod("getRootBlockKey", int.class);
      key.setAccessible(true);
      for (int i = 0; i < index.getRootBlockCount(); i++) {
        keys.add((Cell) key.invoke(index, i));
      }
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new IOException("this HBase's block index can't be read: " + e, e);
    }
    return keys;
  }

  private static Probe probe(BlockIndexReader index, Cell key) throws IOException {
    Probe probe = new Probe();
    try {
      index.seekToDataBlock(key, null, true, true, false, null, probe);
    } catch (IOException e) {
      if (probe.offset < 0) {
        throw e;
      }
    }
    return probe;
  }

  private static void below(
      HFile.Reader reader, long offset, long size, int level, List<byte[]> rows)
      throws IOException {
    BlockType type = level == 1 ? BlockType.LEAF_INDEX : BlockType.INTERMEDIATE_INDEX;
    // Not into the cache: all of a file's index would drive out blocks that users ask for.
    HFileBlock block = reader.readBlock(offset, size, false, true, false, false, type, null);
    try {
      ByteBuff index = block.getBufferWithoutHeader();
      int entries = index.getInt(0);
      // How many entries, then where each begins and the last ends, then the entries.
      int first = Integer.BYTES * (entries + 2);
      for (int i = 0; i < entries; i++) {
        int at = first + index.getInt(Integer.BYTES * (i + 1));
        if (level > 1) {
          below(reader, index.getLong(at), index.getInt(at + Long.BYTES), level - 1, rows);
        } else {
          rows.add(row(index, at + ENTRY_HEAD));
        }
      }
    } finally {
      block.release();
    }
  }

  /** A key begins with its row's length, in two bytes, and its row. */
  private static byte[] row(ByteBuff index, int at) {
    byte[] row = new byte[index.getShort(at)];
    index.get(at + Short.BYTES, row, 0, row.length);
    return row;
  }
}

package io.trimtab.hbaseplugin;

import io.trimtab.plugincore.BlockAccesses;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/**
 * The block access counts of one region, in a file of the region's folder. HBase passes over it, as
 * it does over all names there that begin with a dot, and deletes it with the folder.
 */
public final class SavedCounts {
  /** Name of the file. */
  public static final String NAME = ".trimtab-accesses";

  /** Name of a file that is being written. */
  private static final String UNFINISHED = NAME + ".new";

  /** More than counts of the most stretches, with keys of any length, take. */
  static final int BYTES_MAX = 2 << 20;

  /** In ASCII, {@code TRIMTABC}. */
  private static final long MAGIC = 0x5452494D54414243L;

  private static final int VERSION = 1;
  private static final int HEAD_BYTES = Long.BYTES + 2 * Integer.BYTES;
  private static final int CHECKSUM_BYTES = Integer.BYTES;
  private static final int BUFFER_BYTES = 4096;

  /** Holds parts of row keys: HBase's own user reads it, and nobody else. */
  private static final FsPermission PERMISSION =
      new FsPermission(FsAction.READ_WRITE, FsAction.NONE, FsAction.NONE);

  private final FileSystem files;
  private final String region;
  private final Path file;
  private final Path unfinished;

  /**
   * @param folder of the region; its name is the region's encoded one
   */
  SavedCounts(FileSystem files, Path folder) {
    this.files = files;
    region = folder.getName();
    file = new Path(folder, NAME);
    unfinished = new Path(folder, UNFINISHED);
  }

  /**
   * Those of a region of a server; empty where it is not open there, and where HBase encrypts what
   * it stores of the table, which would be of no use with keys in the clear beside it.
   */
  static Optional<SavedCounts> of(RegionServerServices server, String region) {
    return Optional.ofNullable(server.getRegion(region))
        .filter(HRegion.class::isInstance)
        .map(HRegion.class::cast)
        .filter(HRegion::isAvailable)
        .filter(SavedCounts::inTheClear)
        .map(HRegion::getRegionFileSystem)
        .map(SavedCounts::in);
  }

  private static boolean inTheClear(HRegion region) {
    return Arrays.stream(region.getTableDescriptor().getColumnFamilies())
        .allMatch(family -> family.getEncryptionType() == null);
  }

  private static SavedCounts in(HRegionFileSystem region) {
    return new SavedCounts(region.getFileSystem(), region.getRegionDir());
  }

  /** The file; empty where there is none. */
  Optional<FileStatus> find() throws IOException {
    for (Path path : new Path[] {file, unfinished}) {
      try {
        return Optional.of(files.getFileStatus(path));
      } catch (FileNotFoundException e) {
        // A server that dies between the last two steps of write() leaves the other one.
        continue;
      }
    }
    return Optional.empty();
  }

  /**
   * Reads a file that was found.
   *
   * @throws IllegalArgumentException a part of a sentence: why it is of no use
   */
  BlockAccesses read(FileStatus found) throws IOException {
    if (found.getLen() > BYTES_MAX) {
      throw new IllegalArgumentException("it has " + found.getLen() + " bytes");
    }
    byte[] bytes = new byte[(int) found.getLen()];
    try (FSDataInputStream in = files.open(found.getPath())) {
      in.readFully(0, bytes);
    }
    return decode(region, bytes);
  }

  /**
   * Replaces the file, unless the region leaves this server while its counts are written: the next
   * one may have saved newer ones by then.
   *
   * @param here whether the region is still open on this server
   * @return when it was written, by the file system's clock, in ms; empty where nothing was
   *     replaced
   */
  OptionalLong write(BlockAccesses accesses, BooleanSupplier here) throws IOException {
    byte[] bytes = encode(region, accesses);
    try (FSDataOutputStream out = create()) {
      out.write(bytes);
    }
    // Not afterwards, when another server may have replaced it: its counts would be taken for ours.
    long writtenMs = files.getFileStatus(unfinished).getModificationTime();
    if (!here.getAsBoolean()) {
      return OptionalLong.empty();
    }
    // HDFS renames onto nothing that exists; find() looks for both names.
    files.delete(file, false);
    if (!files.rename(unfinished, file)) {
      throw new IOException(unfinished + " can't be renamed to " + NAME);
    }
    return OptionalLong.of(writtenMs);
  }

  /** Without the folder: a region that was deleted meanwhile must not come back as an orphan. */
  @SuppressWarnings("deprecation") // in Hadoop 2; HBase creates its logs in the same way
  private FSDataOutputStream create() throws IOException {
    return files.createNonRecursive(
        unfinished,
        PERMISSION,
        EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
        BUFFER_BYTES,
        files.getDefaultReplication(unfinished),
        files.getDefaultBlockSize(unfinished),
        null);
  }

  static byte[] encode(String region, BlockAccesses accesses) {
    byte[] name = region.getBytes(StandardCharsets.UTF_8);
    byte[] counts = accesses.toBytes();
    ByteBuffer bytes =
        ByteBuffer.allocate(HEAD_BYTES + name.length + counts.length + CHECKSUM_BYTES);
    bytes.putLong(MAGIC).putInt(VERSION).putInt(name.length).put(name).put(counts);
    bytes.putInt(checksum(bytes.array(), bytes.position()));
    return bytes.array();
  }

  /**
   * The counts in a file.
   *
   * @param region encoded name
   * @throws IllegalArgumentException a part of a sentence: why it is of no use
   */
  public static BlockAccesses decode(String region, byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file);
    if (file.length < HEAD_BYTES + CHECKSUM_BYTES || bytes.getLong() != MAGIC) {
      throw new IllegalArgumentException("Trimtab's plug-in did not write it");
    }
    int version = bytes.getInt();
    if (version != VERSION) {
      throw new IllegalArgumentException("its version " + version + " is not known");
    }
    int end = file.length - CHECKSUM_BYTES;
    if (bytes.getInt(end) != checksum(file, end)) {
      throw new IllegalArgumentException("its checksum is wrong");
    }
    byte[] name = region.getBytes(StandardCharsets.UTF_8);
    int from = HEAD_BYTES + name.length;
    if (bytes.getInt() != name.length
        || from > end
        || !Arrays.equals(file, HEAD_BYTES, from, name, 0, name.length)) {
      throw new IllegalArgumentException("it is another region's");
    }
    return BlockAccesses.of(Arrays.copyOfRange(file, from, end));
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, length);
    return (int) checksum.getValue();
  }
}

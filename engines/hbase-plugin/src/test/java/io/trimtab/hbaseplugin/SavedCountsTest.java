package io.trimtab.hbaseplugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.plugincore.BlockAccesses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.FSUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A region's file on a local file system of Hadoop's. */
class SavedCountsTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final byte[] OPEN = {};
  private static final BooleanSupplier HERE = () -> true;

  @TempDir Path table;
  private Path folder;
  private FileSystem files;
  private SavedCounts saved;

  @BeforeEach
  void region() throws IOException {
    folder = Files.createDirectory(table.resolve(REGION));
    files = FileSystem.getLocal(new Configuration()).getRaw();
    saved = new SavedCounts(files, new org.apache.hadoop.fs.Path(folder.toString()));
  }

  private static BlockAccesses counts(int requests) {
    List<byte[]> blocks = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      blocks.add(new byte[] {(byte) (10 * i)});
    }
    BlockAccesses counts = new BlockAccesses(blocks, OPEN, OPEN);
    for (int i = 0; i < requests; i++) {
      counts.add(new byte[] {(byte) (i % 200)});
    }
    return counts;
  }

  private Path file() {
    return folder.resolve(SavedCounts.NAME);
  }

  private Path unfinished() {
    return folder.resolve(SavedCounts.NAME + ".new");
  }

  private BlockAccesses read() throws IOException {
    return saved.read(saved.find().orElseThrow());
  }

  @Test
  void whatWasSavedLastIsReadAgain() throws IOException {
    assertThat(saved.find()).isEmpty();
    saved.write(counts(300), HERE);
    BlockAccesses later = counts(777);

    long writtenMs = saved.write(later, HERE).orElseThrow();

    FileStatus found = saved.find().orElseThrow();
    assertThat(saved.read(found).toBytes()).isEqualTo(later.toBytes());
    assertThat(found.getModificationTime()).isEqualTo(writtenMs);
    assertThat(found.getPermission()).isEqualTo(FsPermission.valueOf("-rw-------"));
    assertThat(file()).exists();
    assertThat(unfinished()).doesNotExist();
  }

  @Test
  void ofTwoFilesTheFinishedOneIsReadAndElseTheOneThatWasNotRenamed() throws IOException {
    saved.write(counts(300), HERE);
    Files.write(unfinished(), new byte[] {1, 2, 3});
    assertThat(read().requests()).isEqualTo(300);

    Files.delete(unfinished());
    Files.move(file(), unfinished());
    assertThat(read().requests()).isEqualTo(300);

    saved.write(counts(400), HERE);
    assertThat(read().requests()).isEqualTo(400);
    assertThat(unfinished()).doesNotExist();
  }

  /** The next server writes the file again as soon as it is there. */
  @Test
  void whatIsWrittenAfterwardsIsNotTakenForOurs() throws IOException {
    FileSystem late =
        new FilterFileSystem(files) {
          @Override
          public boolean rename(org.apache.hadoop.fs.Path from, org.apache.hadoop.fs.Path to)
              throws IOException {
            boolean renamed = super.rename(from, to);
            setTimes(to, 1_800_000_000_000L, -1);
            return renamed;
          }
        };
    SavedCounts ours = new SavedCounts(late, new org.apache.hadoop.fs.Path(folder.toString()));

    assertThat(ours.write(counts(300), HERE).orElseThrow()).isLessThan(1_800_000_000_000L);
    assertThat(ours.find().orElseThrow().getModificationTime()).isEqualTo(1_800_000_000_000L);
  }

  @Test
  void nothingIsReplacedOnceTheRegionHasLeft() throws IOException {
    saved.write(counts(300), HERE);

    assertThat(saved.write(counts(200), () -> false)).isEmpty();

    assertThat(read().requests()).isEqualTo(300);
  }

  @Test
  void aFolderThatIsGoneIsNotMadeAgain() throws IOException {
    Files.delete(folder);

    assertThatThrownBy(() -> saved.write(counts(300), HERE)).isInstanceOf(IOException.class);

    assertThat(folder).doesNotExist();
    assertThat(saved.find()).isEmpty();
  }

  @Test
  void hbaseTakesTheFileForNoColumnFamily() throws IOException {
    Files.createDirectory(folder.resolve("f"));
    saved.write(counts(300), HERE);

    assertThat(FSUtils.getFamilyDirs(files, new org.apache.hadoop.fs.Path(folder.toString())))
        .extracting(org.apache.hadoop.fs.Path::getName)
        .containsExactly("f");
    byte[] name = SavedCounts.NAME.getBytes(UTF_8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName(name));
  }

  @Test
  void whatIsDamagedCutOffOrNotOursIsRefused() {
    byte[] whole = SavedCounts.encode(REGION, counts(300));
    assertThat(SavedCounts.decode(REGION, whole).requests()).isEqualTo(300);
    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 4;
      assertRefused(REGION, damaged, "");
      assertRefused(REGION, Arrays.copyOf(whole, i), "");
    }
    assertRefused(REGION, "a,b\n1,2\n3,4\n5,6\n7,8\n".getBytes(UTF_8), "did not write it");
    assertRefused(REGION, ByteBuffer.wrap(whole.clone()).putInt(8, 2).array(), "version 2 is not");
    assertRefused(REGION, Arrays.copyOf(whole, whole.length - 1), "checksum is wrong");
    assertRefused(REGION.replace('f', 'e'), whole, "another region's");
    assertRefused(REGION + "0", whole, "another region's");
  }

  private static void assertRefused(String region, byte[] file, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SavedCounts.decode(region, file))
        .withMessageContaining(why);
  }

  /** Of a plug-in that counted no calls of scans. */
  @Test
  void countsOfAnEarlierFormAreTakenOver() {
    byte[] now = SavedCounts.encode(REGION, counts(300));
    byte[] older = Arrays.copyOf(now, now.length - 2 * Long.BYTES);
    // Magic number, version, length of the name, name; then the counts, their form first.
    older[Long.BYTES + 2 * Integer.BYTES + REGION.length()] = 1;
    int end = older.length - Integer.BYTES;
    CRC32C checksum = new CRC32C();
    checksum.update(older, 0, end);
    ByteBuffer.wrap(older).putInt(end, (int) checksum.getValue());

    assertThat(SavedCounts.decode(REGION, older).requests()).isEqualTo(300);
  }

  @Test
  void aFileThatIsTooLargeIsNotRead() throws IOException {
    Files.write(file(), new byte[SavedCounts.BYTES_MAX + 1]);

    assertThatIllegalArgumentException().isThrownBy(this::read).withMessage("it has 2097153 bytes");
  }

  @Test
  void countsOfTheMostBlocksFit() {
    List<byte[]> blocks = new ArrayList<>();
    byte[] longest = new byte[Short.MAX_VALUE];
    Arrays.fill(longest, (byte) 0xFF);
    for (int i = 0; i < BlockAccesses.STRETCHES_MAX - 1; i++) {
      blocks.add(ByteBuffer.allocate(12).putInt(8, i).array());
    }
    BlockAccesses most = new BlockAccesses(blocks, OPEN, longest);

    assertThat(SavedCounts.encode(REGION, most).length).isBetween(800_000, SavedCounts.BYTES_MAX);
  }
}

package io.trimtab.hbaseplugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockIndexTest {
  static final int ROWS = 5_000;

  @TempDir Path folder;

  static String row(int i) {
    return String.format(Locale.ROOT, "user%08d", i);
  }

  /** Rows of 100 bytes in blocks of about 1 KiB. */
  static HFile.Reader file(Path folder, Configuration conf, CacheConfig cache) throws IOException {
    FileSystem files = FileSystem.getLocal(conf);
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(folder.toString(), "file");
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, new CacheConfig(conf))
            .withPath(files, path)
            .withFileContext(new HFileContextBuilder().withBlockSize(1 << 10).build())
            .create()) {
      for (int i = 0; i < ROWS; i++) {
        writer.append(
            new KeyValue(
                row(i).getBytes(UTF_8), "f".getBytes(UTF_8), "q".getBytes(UTF_8), new byte[100]));
      }
    }
    return HFile.createReader(files, path, cache, true, conf);
  }

  private static Configuration conf(int indexBlockBytes) {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hfile.index.block.max.size", indexBlockBytes);
    return conf;
  }

  private List<String> firstRows(int indexBlockBytes, int levels) throws IOException {
    List<String> rows = new ArrayList<>();
    Configuration conf = conf(indexBlockBytes);
    try (HFile.Reader reader = file(folder, conf, new CacheConfig(conf))) {
      assertThat(reader.getTrailer().getNumDataIndexLevels()).isGreaterThanOrEqualTo(levels);
      for (byte[] row : BlockIndex.firstRows(reader)) {
        rows.add(new String(row, UTF_8));
      }
    }
    return rows;
  }

  @Test
  void everyBlockIsInTheIndexOnce() throws IOException {
    List<String> rows = firstRows(128 << 10, 1);

    // HBase begins a block with any key between its first and the last of the one before.
    assertThat(rows).isSorted().doesNotHaveDuplicates().hasSizeBetween(ROWS / 9, ROWS / 6);
    assertThat(rows.get(0)).isEqualTo(row(0));
  }

  @Test
  void indexesOfSeveralLevelsAreReadToTheBottom() throws IOException {
    List<String> flat = firstRows(128 << 10, 1);

    assertThat(firstRows(2 << 10, 2)).isEqualTo(flat);
    assertThat(firstRows(256, 3)).isEqualTo(flat);
  }
}

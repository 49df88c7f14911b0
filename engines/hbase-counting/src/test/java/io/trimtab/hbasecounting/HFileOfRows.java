package io.trimtab.hbasecounting;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;

/** A store file to read from: {@value #ROWS} rows of 100 bytes in blocks of about 1 KiB. */
final class HFileOfRows {
  static final int ROWS = 5_000;

  private HFileOfRows() {}

  static String row(int i) {
    return String.format(Locale.ROOT, "user%08d", i);
  }

  /** Writes it as {@code folder/file} and opens it for reading through the cache. */
  static HFile.Reader write(java.nio.file.Path folder, Configuration conf, CacheConfig cache)
      throws IOException {
    FileSystem files = FileSystem.getLocal(conf);
    Path path = new Path(folder.toString(), "file");
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
}

package io.trimtab.cli.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HitRatioCommandTest {
  @TempDir private Path folder;

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private static String refused(String histogram, String cache) {
    return Run.refused("hitratio", "--histogram", histogram, "--cache", cache);
  }

  @Test
  void uniformBlocksHitInProportion() throws IOException {
    String uniform = file("u.csv", "count,multiplicity\n5,1000\n");
    Run run = Run.of("hitratio", "--histogram", uniform, "--cache", "250", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .containsPattern("\"hitRatio\" : 0.2(5|4999)")
        .contains("\"characteristicTime\" : 287.", "\"blocks\" : 1000", "\"cacheBlocks\" : 250")
        .contains("\"seconds\" : ");
    assertThat(Run.of("hitratio", "--histogram", uniform, "--cache", "250").out())
        .contains("hitRatio           0.2500");
  }

  /** Uniform requests hit in proportion to what a cache holds, which in HBase's is 97 %. */
  @Test
  void hbasesCacheIsNeverQuiteFull() throws IOException {
    String uniform = file("u.csv", "count,multiplicity\n5,1000\n");
    Run run =
        Run.of("hitratio", "--histogram", uniform, "--cache", "500", "--model", "hbase", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("\"model\" : \"hbase\"")
        .containsPattern("hitRatio\" : 0.48[45]");
  }

  @Test
  void severalFilesShareTheCache() throws IOException {
    String a = file("a.csv", "count\n1\n1\n");
    String b = file("b.csv", "count, multiplicity\n1, 2\n\n");
    Run run = Run.of("hitratio", "--histogram", a, "--histogram", b, "--cache", "2", "--json");
    assertThat(run.out()).contains("\"blocks\" : 4").containsPattern("\"hitRatio\" : 0.(5|4999)");
  }

  @Test
  void bytesNeedSizes() throws IOException {
    String sized = file("s.csv", "count,multiplicity,bytes\n3,100,65536\n1,100,65536\n");
    Run run = Run.of("hitratio", "--histogram", sized, "--cache", "6400k", "--curve", "--json");
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains("\"cacheBytes\" : 6553600", "\"curve\" : [");
    assertThat(refused(file("c.csv", "count\n1\n"), "1m"))
        .contains("--cache 1m: a size in bytes needs the column bytes");
  }

  @Test
  void whatFitsIsAllHits() throws IOException {
    String few = file("f.csv", "count\n4\n0\n9\n");
    assertThat(Run.of("hitratio", "--histogram", few, "--cache", "2", "--json").out())
        .contains("\"hitRatio\" : 1.0", "\"characteristicTime\" : null", "\"blocks\" : 3");
  }

  @Test
  void badInputIsOneLineWithFileAndLine() throws IOException {
    String good = file("g.csv", "count\n4\n");
    assertThat(refused(file("1.csv", ""), "5")).contains("1.csv: is empty");
    assertThat(refused(file("2.csv", "count\n"), "5")).contains("2.csv: has no rows");
    assertThat(refused(file("3.csv", "hits\n1\n"), "5")).contains("3.csv:1: the header must be");
    assertThat(refused(file("4.csv", "count\n1\n-2\n"), "5"))
        .contains("4.csv:3: a count must be a finite number ≥ 0, not -2.0");
    assertThat(refused(file("5.csv", "count\nNaN\n"), "5")).contains("5.csv:2: a count");
    assertThat(refused(file("6.csv", "count\nfour\n"), "5")).contains("6.csv:2: not a number");
    assertThat(refused(file("7.csv", "count,multiplicity\n4\n"), "5"))
        .contains("7.csv:2: 2 numbers are needed, not 1");
    assertThat(refused(file("8.csv", "count,multiplicity,bytes\n4,1,0\n"), "5"))
        .contains("8.csv:2: a block's size must be a finite number > 0");
    assertThat(refused(file("9.csv", "count\n0\n"), "5")).contains("no block has been accessed");
    assertThat(refused(good, "0")).contains("--cache must be > 0, not 0");
    assertThat(refused(good, "-3")).contains("--cache");
    assertThat(refused(folder.resolve("none.csv").toString(), "5")).contains("no such file");
  }
}

package io.trimtab.models.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.models.usage.NodeKind.Difference;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NodeKindTest {
  private static final Map<String, String> MEASURED =
      Map.of(
          "engine", "hbase",
          "engineVersion", "2.6.4",
          "cores", "2.0",
          "memory", "840m",
          "heapBytes", "415956992",
          "cacheBytes", "228776345",
          "pageCache", "16m",
          "diskReadsPerSecond", "150",
          "disk", "the machine's",
          "cpu", "AMD EPYC");

  private static Difference difference(String key, String value) {
    Map<String, String> its = new TreeMap<>(MEASURED);
    its.put(key, value);
    return NodeKind.difference(MEASURED, its).orElseThrow();
  }

  @Test
  void everyPropertyIsCompared() {
    assertThat(difference("engine", "cassandra")).isEqualTo(new Difference("hbase", "cassandra"));
    assertThat(difference("engineVersion", "2.5.8"))
        .isEqualTo(new Difference("engine version 2.6.4", "2.5.8"));
    assertThat(difference("cores", "8")).isEqualTo(new Difference("2 cores", "8"));
    assertThat(difference("memory", "2g")).isEqualTo(new Difference("840m of memory", "2g"));
    assertThat(difference("heapBytes", "831913984"))
        .isEqualTo(new Difference("397 MiB of heap", "793 MiB"));
    assertThat(difference("cacheBytes", "10485760000"))
        .isEqualTo(new Difference("218 MiB of cache", "10,000 MiB"));
    assertThat(difference("pageCache", "0b")).isEqualTo(new Difference("16m of page cache", "0b"));
    assertThat(difference("diskReadsPerSecond", "300.0"))
        .isEqualTo(new Difference("150 disk reads a second", "300 a second"));
    assertThat(difference("diskReadsPerSecond", "0"))
        .isEqualTo(new Difference("150 disk reads a second", "no such limit"));
    assertThat(difference("disk", "in memory, 6 ms a read, one at a time"))
        .isEqualTo(
            new Difference(
                "a disk that is the machine's",
                "one that is in memory, 6 ms a read, one at a time"));
    assertThat(difference("cpu", "Xeon"))
        .isEqualTo(new Difference("the processor AMD EPYC", "Xeon"));
  }

  @Test
  void theFirstDifferenceCounts() {
    assertThat(NodeKind.difference(MEASURED, Map.of("cores", "8", "heapBytes", "1")))
        .contains(new Difference("2 cores", "8"));
    assertThat(NodeKind.difference(Map.of("cores", "1"), Map.of("cores", "0.5")))
        .contains(new Difference("1 core", "0.5"));
    assertThat(
            NodeKind.difference(
                Map.of("diskReadsPerSecond", "0"), Map.of("diskReadsPerSecond", "150")))
        .contains(new Difference("unlimited disk reads", "150 a second"));
  }

  /** A JVM tells a little less heap than it was given, and a cache is made of it. */
  @Test
  void sizesThatAreNearAreAlike() {
    assertThat(NodeKind.difference(MEASURED, MEASURED)).isEmpty();
    assertThat(
            NodeKind.difference(
                MEASURED,
                Map.of("heapBytes", "400000000", "cacheBytes", "220000000", "cores", "2")))
        .isEmpty();
  }

  @Test
  void whatOneDoesNotTellIsNotCompared() {
    assertThat(NodeKind.difference(Map.of(), MEASURED)).isEmpty();
    assertThat(NodeKind.difference(MEASURED, Map.of())).isEmpty();
    assertThat(NodeKind.difference(Map.of("cores", "many"), MEASURED)).isEmpty();
  }
}

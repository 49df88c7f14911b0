package io.trimtab.cassandra.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.junit.jupiter.api.Test;

class NodeWorkTest {
  private static List<Map<String, String>> compactions(String... types) {
    return Arrays.stream(types).map(type -> Map.of("taskType", type, "keyspace", "k")).toList();
  }

  private static CompositeData stream(String item, String value) throws OpenDataException {
    String[] items = {item};
    OpenType<?>[] types = {SimpleType.STRING};
    CompositeType type = new CompositeType("StreamState", "as Cassandra's", items, items, types);
    return new CompositeDataSupport(type, items, new Object[] {value});
  }

  @Test
  void whatComesWithWritesIsNoMaintenance() {
    assertThat(
            NodeWork.of(
                compactions("Compaction", "Tombstone Compaction", "Flush", "Key cache save"),
                List.of(),
                0))
        .isEmpty();
  }

  @Test
  void eachKindOfWorkIsToldOnce() throws OpenDataException {
    assertThat(
            NodeWork.of(
                compactions("Validation", "Cleanup", "Validation", "Major compaction"),
                List.of(stream("description", "Repair"), stream("description", "Rebuild")),
                1))
        .containsExactly("cleanup", "major compaction", "rebuild", "repair");
  }

  /** Between its phases nothing is compacted or streamed. */
  @Test
  void aRepairIsToldFromItsBeginningToItsEnd() {
    assertThat(NodeWork.of(List.of(), List.of(), 2)).containsExactly("repair");
    assertThat(NodeWork.of(List.of(), List.of(), 0)).isEmpty();
  }

  /** These are told as nodes that join or leave. */
  @Test
  void streamsThatChangeTheRingAreNoMaintenance() throws OpenDataException {
    assertThat(
            NodeWork.of(
                List.of(),
                List.of(stream("description", "Bootstrap"), stream("description", "Unbootstrap")),
                0))
        .isEmpty();
  }

  @Test
  void whatDoesNotTellItsKindIsPassedOver() throws OpenDataException {
    Map<String, String> nameless = new HashMap<>();
    nameless.put("taskType", null);

    assertThat(NodeWork.of(List.of(nameless, "other"), List.of(stream("planId", "7")), 0))
        .isEmpty();
  }
}

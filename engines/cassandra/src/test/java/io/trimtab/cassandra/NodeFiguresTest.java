package io.trimtab.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.junit.jupiter.api.Test;

class NodeFiguresTest {
  private static final String[] ITEMS = {
    "currentRxBytes", "totalRxBytes", "currentTxBytes", "totalTxBytes"
  };

  private static CompositeData stream(long... bytes) throws OpenDataException {
    OpenType<?>[] types = {SimpleType.LONG, SimpleType.LONG, SimpleType.LONG, SimpleType.LONG};
    CompositeType type = new CompositeType("StreamState", "as Cassandra's", ITEMS, ITEMS, types);
    return new CompositeDataSupport(
        type, ITEMS, new Object[] {bytes[0], bytes[1], bytes[2], bytes[3]});
  }

  @Test
  void streamsAreCountedAndTheirBytesAdded() throws OpenDataException {
    assertThat(NodeFigures.streams(List.of(stream(10, 40, 0, 0), stream(5, 60, 7, 70))))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "streams", 2.0,
                "streams.receivedBytes", 15.0,
                "streams.toReceiveBytes", 100.0,
                "streams.sentBytes", 7.0,
                "streams.toSendBytes", 70.0));
  }

  @Test
  void withoutStreamsAllIsNought() {
    assertThat(NodeFigures.streams(List.of()))
        .containsEntry("streams", 0.0)
        .containsEntry("streams.toReceiveBytes", 0.0);
  }
}

package io.trimtab.cassandra.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.junit.jupiter.api.Test;

class JmxFilterTest {
  private static Object read(Object answer) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(answer);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      in.setObjectInputFilter(JmxFilter::check);
      return in.readObject();
    }
  }

  /** The form of what {@code samplePartitions} and the gossip's beans answer. */
  @Test
  void whatNodesAnswerPasses() throws Exception {
    CompositeType row =
        new CompositeType(
            "row",
            "sampled partition",
            new String[] {"value", "count"},
            new String[] {"key", "requests"},
            new OpenType<?>[] {SimpleType.STRING, SimpleType.LONG});
    Map<String, Object> samples = new ConcurrentHashMap<>();
    samples.put(
        "READS",
        new ArrayList<>(List.of(new CompositeDataSupport(row, Map.of("value", "k", "count", 2L)))));
    samples.put("tokens", new TreeMap<>(Map.of("-9", 1.5)));

    assertThat(read(samples)).isEqualTo(samples);
    byte[] bytes = "bytes".getBytes(StandardCharsets.UTF_8);
    assertThat((byte[]) read(bytes)).isEqualTo(bytes);
  }

  @Test
  void anyOtherClassDoesNot() {
    assertThatThrownBy(() -> read(URI.create("http://node")))
        .isInstanceOf(InvalidClassException.class)
        .hasMessageContaining("REJECTED");
  }
}

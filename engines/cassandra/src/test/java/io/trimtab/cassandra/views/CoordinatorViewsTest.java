package io.trimtab.cassandra.views;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.CoordinatorView;
import io.trimtab.engineapi.snapshot.ReplicaView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.junit.jupiter.api.Test;

class CoordinatorViewsTest {
  private static final NodeId A = new NodeId("10.0.0.1:9042");
  private static final NodeId B = new NodeId("10.0.0.2:9042");
  private static final Map<String, NodeId> MEMBERS = Map.of("10.0.0.1:7000", A, "10.0.0.2:7000", B);
  private static final Optional<Object> RANKING = Optional.of("trimtab");
  private static final Optional<Object> LOCAL_FIRST = Optional.of(true);

  private static CompositeData row(Map<String, Object> values) throws OpenDataException {
    String[] items = values.keySet().toArray(String[]::new);
    OpenType<?>[] types =
        values.values().stream().map(CoordinatorViewsTest::type).toArray(OpenType<?>[]::new);
    return new CompositeDataSupport(
        new CompositeType("ReplicaView", "as the plug-in's", items, items, types),
        items,
        values.values().toArray());
  }

  private static OpenType<?> type(Object value) {
    return value instanceof Double
        ? SimpleType.DOUBLE
        : value instanceof Long
            ? SimpleType.LONG
            : value instanceof Integer ? SimpleType.INTEGER : SimpleType.STRING;
  }

  private static Map<String, Object> values(String address) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("address", address);
    values.put("score", 2.5e7);
    values.put("outstanding", 3);
    values.put("queued", 4.5);
    values.put("serviceMs", 6.25);
    values.put("silentMs", 0.0);
    values.put("candidate", 100L);
    values.put("first", 33L);
    return values;
  }

  private static Optional<CoordinatorView> of(CompositeData... rows) {
    return CoordinatorViews.of(rows, RANKING, LOCAL_FIRST, MEMBERS);
  }

  @Test
  void membersAreNamedAndOthersLeftOut() throws OpenDataException {
    CoordinatorView view =
        of(row(values("10.0.0.2:7000")), row(values("10.0.0.9:7000")), row(values("10.0.0.1:7000")))
            .orElseThrow();
    assertThat(view.ranking()).isEqualTo("trimtab");
    assertThat(view.ownFirst()).isTrue();
    assertThat(view.replicas()).extracting(ReplicaView::replica).containsExactly(A, B);
    assertThat(view.of(B))
        .contains(
            new ReplicaView(
                B,
                OptionalDouble.of(2.5e7),
                OptionalLong.of(3),
                OptionalDouble.of(4.5),
                OptionalDouble.of(6.25),
                OptionalDouble.of(0),
                OptionalLong.of(100),
                OptionalLong.of(33)));
  }

  @Test
  void whatIsNotKnownOrNotThereIsAbsentAndNotZero() throws OpenDataException {
    Map<String, Object> values = values("10.0.0.1:7000");
    values.put("score", Double.POSITIVE_INFINITY);
    values.put("queued", Double.NEGATIVE_INFINITY);
    values.put("outstanding", -1);
    values.put("silentMs", Double.NaN);
    values.remove("serviceMs");
    values.remove("candidate");
    ReplicaView its = of(row(values)).orElseThrow().of(A).orElseThrow();
    assertThat(its)
        .isEqualTo(
            new ReplicaView(
                A,
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalLong.of(33)));
  }

  @Test
  void anotherVersionsBeanTellsNoView() throws OpenDataException {
    CompositeData row = row(values("10.0.0.1:7000"));
    assertThat(CoordinatorViews.of("text", RANKING, LOCAL_FIRST, MEMBERS)).isEmpty();
    assertThat(
            CoordinatorViews.of(new CompositeData[] {row}, Optional.empty(), LOCAL_FIRST, MEMBERS))
        .isEmpty();
    assertThat(CoordinatorViews.of(new CompositeData[] {row}, RANKING, Optional.empty(), MEMBERS))
        .isEmpty();
  }
}

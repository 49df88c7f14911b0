package io.trimtab.experiments.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MoveCountTest {
  private static final RowKey MIDDLE = new RowKey("80");
  private static final KeyRange LEFT = new KeyRange(RowKey.EMPTY, MIDDLE);
  private static final KeyRange RIGHT = new KeyRange(MIDDLE, RowKey.EMPTY);

  private final MoveCount count = new MoveCount();

  private static PartitionState partition(String name, String node, long bytes, KeyRange range) {
    Optional<NodeId> at = node.isEmpty() ? Optional.empty() : Optional.of(new NodeId(node));
    return new PartitionState(
        new PartitionId("t", name), at, Optional.empty(), bytes, 1, 65_536, range);
  }

  @Test
  void aPartitionThatHasAnotherNodeHasMoved() {
    count.look(List.of(partition("p", "a:1", 10, KeyRange.ALL)));
    count.look(List.of(partition("p", "", 10, KeyRange.ALL)));
    assertThat(count.moves()).isZero();
    count.look(List.of(partition("p", "b:1", 12, KeyRange.ALL)));
    count.look(List.of(partition("p", "b:1", 12, KeyRange.ALL)));

    assertThat(count.moves()).isEqualTo(1);
    assertThat(count.bytes()).isEqualTo(12);
  }

  @Test
  void aHalfThatLeavesTheNodeOfWhatWasSplitHasMoved() {
    count.look(List.of(partition("p", "a:1", 10, KeyRange.ALL)));
    count.look(List.of(partition("l", "a:1", 4, LEFT), partition("r", "", 6, RIGHT)));
    assertThat(count.moves()).isZero();
    count.look(List.of(partition("l", "a:1", 4, LEFT), partition("r", "b:1", 6, RIGHT)));

    assertThat(count.moves()).isEqualTo(1);
    assertThat(count.bytes()).isEqualTo(6);
    // From now on it is one like any other.
    count.look(List.of(partition("l", "a:1", 4, LEFT), partition("r", "a:1", 6, RIGHT)));
    assertThat(count.moves()).isEqualTo(2);
    assertThat(count.bytes()).isEqualTo(12);
  }

  @Test
  void aHalfThatStillRefersToWholeFilesCountsAsHalfOfThem() {
    count.look(List.of(partition("p", "a:1", 10, KeyRange.ALL)));
    count.look(List.of(partition("l", "a:1", 10, LEFT), partition("r", "b:1", 10, RIGHT)));

    assertThat(count.moves()).isEqualTo(1);
    assertThat(count.bytes()).isEqualTo(5);
  }

  @Test
  void ofWhatIsMergedThatMovesWhichWasElsewhere() {
    count.look(List.of(partition("l", "a:1", 4, LEFT), partition("r", "b:1", 6, RIGHT)));
    count.look(List.of(partition("p", "a:1", 10, KeyRange.ALL)));

    assertThat(count.moves()).isEqualTo(1);
    assertThat(count.bytes()).isEqualTo(6);
  }

  @Test
  void whatWasSplitBeforeIsForgotten() {
    count.look(List.of(partition("p", "a:1", 10, KeyRange.ALL)));
    count.look(List.of(partition("l", "a:1", 4, LEFT), partition("r", "a:1", 6, RIGHT)));
    count.look(List.of(partition("l", "b:1", 4, LEFT), partition("r", "b:1", 6, RIGHT)));
    // Of halves that are both on b, and not of what was on a before them.
    count.look(List.of(partition("m", "b:1", 10, KeyRange.ALL)));

    assertThat(count.moves()).isEqualTo(2);
    assertThat(count.bytes()).isEqualTo(10);
  }
}

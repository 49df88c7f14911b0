package io.trimtab.hbaseplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.InvalidProtocolBufferException;
import io.trimtab.hbaseplugin.RegionHistograms.StoreFiles;
import io.trimtab.hbaseplugin.RegionRequests.Range;
import io.trimtab.hbasewire.HistogramList;
import io.trimtab.hbasewire.HistogramList.RegionHistogram;
import io.trimtab.hbasewire.NodeProtocol;
import io.trimtab.plugincore.BlockAccesses;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A server of regions whose block indexes take 3 s to read, each. */
class RegionHistogramsTest {
  private static final byte[] OPEN = {};
  private static final Range ALL = new Range("t", OPEN, OPEN);
  private static final String UNREAD = "its block index has not been read";

  private Duration now = Duration.ofDays(2);
  private final RegionRequests requests = new RegionRequests(() -> now.toNanos());
  private final TreeSet<Integer> rooms = new TreeSet<>();

  private final class OnSlowDisk implements StoreFiles {
    @Override
    public void show(RegionFollower follower, int stretchesMax) {
      rooms.add(stretchesMax);
      if (!follower.isDivided("file", stretchesMax)) {
        now = now.plusSeconds(3);
        follower.divide("file", List.of(new byte[] {9}), 1_000, stretchesMax);
      }
    }

    @Override
    public List<String> names() {
      return List.of("file");
    }
  }

  private List<RegionHistogram> ask() throws InvalidProtocolBufferException {
    RegionHistograms histograms =
        new RegionHistograms(
            requests,
            name -> Optional.of(new OnSlowDisk()),
            new FailureLog((what, total, cause) -> {}),
            () -> now.toNanos());
    return HistogramList.parse(histograms.counted(NodeProtocol.HISTOGRAMS).toByteArray()).regions();
  }

  private static List<String> unread(List<RegionHistogram> answers) {
    List<String> regions = new ArrayList<>();
    for (RegionHistogram answer : answers) {
      if (answer.reason().equals(UNREAD)) {
        assertThat(answer.size()).isZero();
        regions.add(answer.region());
      } else {
        assertThat(answer.blockBytes()).isEqualTo(1_000);
        assertThat(answer.size()).isPositive();
      }
    }
    return regions;
  }

  /** Its caller would give up waiting, and the next one would begin from the first region. */
  @Test
  void aCallEndsSoonAndTheNextOneGoesOn() throws InvalidProtocolBufferException {
    for (String region : List.of("a", "b", "c", "d", "e")) {
      // Counts that were handed over are of blocks of another server's time.
      requests.expect(region, new BlockAccesses(List.of(), OPEN, OPEN));
      requests.open(region, ALL);
    }

    assertThat(unread(ask())).containsExactly("c", "d", "e");
    assertThat(unread(ask())).containsExactly("e");
    assertThat(unread(ask())).isEmpty();
    assertThat(rooms)
        .containsExactly(RegionHistograms.stretchesMax(Runtime.getRuntime().maxMemory(), 5));
  }

  @Test
  void allRegionsTogetherTakeAHundredthOfTheHeap() {
    assertThat(RegionHistograms.stretchesMax(1L << 30, 0)).isEqualTo(40_000);
    assertThat(RegionHistograms.stretchesMax(1L << 30, 98)).isEqualTo(40_000);
    assertThat(RegionHistograms.stretchesMax(1L << 30, 1_000)).as("64 MiB").isEqualTo(3_947);
    assertThat(RegionHistograms.stretchesMax(32L << 30, 1_000)).isEqualTo(20_211);
    assertThat(RegionHistograms.stretchesMax(32L << 30, 1_000_000)).as("at least").isEqualTo(1_000);
  }

  /** As where regions came, which take of its room. */
  @Test
  void aRegionThatHasMuchMoreThanItsRoomIsDividedAnew() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      keys.add(ByteBuffer.allocate(Integer.BYTES).putInt(i).array());
    }
    RegionFollower follower = new RegionFollower(ALL);
    follower.divide("file", keys, 1_000, 40_000);
    for (byte[] key : keys) {
      follower.read(key);
    }
    assertThat(follower.isDivided("file", 3_000)).isTrue();
    assertThat(follower.isDivided("other", 3_000)).isFalse();
    assertThat(follower.isDivided("file", 2_000)).isFalse();

    follower.divide("file", keys, 1_000, 2_000);

    BlockAccesses counts = follower.accesses().orElseThrow();
    assertThat(counts.stretches()).isBetween(1_000, 2_000);
    assertThat((double) counts.requests()).isCloseTo(5_000, within(50.0));
    assertThat(follower.isDivided("file", 2_000)).isTrue();
  }
}

package io.trimtab.hbaseplugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.trimtab.hbaseplugin.RegionRequests.Range;
import io.trimtab.hbasewire.SplitList;
import io.trimtab.hbasewire.SplitList.RegionSplit;
import io.trimtab.plugincore.BlockAccesses;
import io.trimtab.plugincore.SplitAdvice;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RegionRequestsTest {
  private static final byte[] OPEN = {};
  private static final byte[] MIDDLE = {(byte) 0x80};
  private static final Range ALL = new Range("t", OPEN, OPEN);
  private static final Range RIGHT = new Range("t", MIDDLE, OPEN);

  private Duration now = Duration.ofDays(3);
  private final RegionRequests requests = new RegionRequests(() -> now.toNanos());

  private static void ask(RegionFollower follower, int from, int to) {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      byte[] key = {(byte) (from + random.nextInt(to - from)), (byte) random.nextInt(256)};
      follower.write(key);
    }
  }

  /** Of every open region, by encoded name. */
  private static Map<String, SplitAdvice> advice(RegionRequests requests) {
    Map<String, SplitAdvice> advice = new TreeMap<>();
    requests.followers().forEach((region, follower) -> advice.put(region, follower.advice()));
    return advice;
  }

  @Test
  void aRegionThatOpensAgainGoesOn() {
    RegionFollower first = requests.open("r", new Range("t", OPEN, OPEN));
    ask(first, 0, 256);

    requests.close("r");
    assertThat(requests.size()).isZero();
    assertThat(requests.open("r", new Range("t", OPEN, OPEN))).isSameAs(first);
  }

  @Test
  void theDaughtersOfASplitBeginWithTheirParentsRequests() {
    ask(requests.open("parent", new Range("t", OPEN, OPEN)), 0, 256);
    requests.close("parent");

    requests.open("left", new Range("t", OPEN, MIDDLE));
    requests.open("right", new Range("t", MIDDLE, OPEN));

    SplitAdvice right = requests.advice("right").orElseThrow();
    assertThat(requests.advice("left").orElseThrow().requests()).isBetween(4_500L, 5_500L);
    assertThat(right.requests()).isBetween(4_500L, 5_500L);
    assertThat(right.key()[0] & 0xFF).isBetween(0xB8, 0xC8);
  }

  /** Where a table is made anew, its regions have the places of those that are gone. */
  @Test
  void whatOpensLaterIsNoDaughter() {
    ask(requests.open("parent", ALL), 0, 256);
    requests.close("parent");
    now = now.plus(RegionRequests.PARENT_MAX);
    assertThat(requests.open("at once", RIGHT).advice().requests()).isPositive();

    now = now.plusNanos(1);
    assertThat(requests.open("later", RIGHT).advice().requests()).isZero();
    assertThat(requests.open("parent", ALL).advice().requests()).as("it is itself").isPositive();
  }

  @Test
  void aRegionOfATruncatedTableBeginsAnew() {
    ask(requests.open("before", RIGHT), 0x80, 256);
    requests.close("before");

    assertThat(requests.open("after", RIGHT).advice().requests()).isZero();
  }

  private static BlockAccesses counts(int requests) {
    BlockAccesses counts = new BlockAccesses(List.of(MIDDLE), OPEN, OPEN);
    for (int i = 0; i < requests; i++) {
      counts.add(MIDDLE);
    }
    return counts;
  }

  @Test
  void countsThatWereHandedOverAreOfTheMoveThatFollows() {
    requests.expect("r", counts(5));
    now = now.plus(RegionRequests.EXPECTED_MAX);
    assertThat(requests.open("r", ALL).accesses().orElseThrow().requests()).isEqualTo(5);
  }

  /** It failed; weeks later the region comes by another one, which could hand nothing over. */
  @Test
  void countsOfAMoveThatNeverHappenedAreForgotten() {
    requests.expect("r", counts(5));
    now = now.plus(RegionRequests.EXPECTED_MAX).plusNanos(1);
    RegionFollower follower = requests.open("r", ALL);
    assertThat(follower.accesses()).isEmpty();
    assertThat(follower.handedOver()).as("what is saved may be read").isFalse();

    requests.close("r");
    requests.expect("r", counts(5));
    now = now.plus(RegionRequests.EXPECTED_MAX).plusNanos(1);
    assertThat(requests.open("r", ALL)).as("it was here since").isSameAs(follower);
  }

  @Test
  void aRegionOfAnotherTableOrOutsideBeginsAnew() {
    ask(requests.open("parent", new Range("t", OPEN, MIDDLE)), 0, 128);
    requests.close("parent");

    requests.open("other", new Range("u", OPEN, MIDDLE));
    requests.open("beyond", new Range("t", MIDDLE, OPEN));
    requests.open("wider", new Range("t", OPEN, OPEN));

    assertThat(advice(requests).values()).hasSize(3).allMatch(advice -> advice.requests() == 0);
  }

  @Test
  void closedRegionsAreForgottenInTheEnd() {
    RegionFollower first = requests.open("r", new Range("t", OPEN, MIDDLE));
    requests.close("r");
    for (int i = 0; i < 64; i++) {
      requests.open("x" + i, new Range("u", OPEN, OPEN));
      requests.close("x" + i);
    }

    assertThat(requests.open("r", new Range("t", OPEN, MIDDLE))).isNotSameAs(first);
  }

  @Test
  void whatIsKnownComesOverTheWire() throws InvalidProtocolBufferException {
    ask(requests.open("busy", new Range("t", OPEN, OPEN)), 0, 256);
    requests.open("idle", new Range("t", OPEN, OPEN));
    // Asked once: the sketch answers a little differently each time.
    Map<String, SplitAdvice> all = advice(requests);
    SplitAdvice sent = all.get("busy");

    SplitList got = SplitList.parse(SplitList.message(all).toByteArray());

    assertThat(got.regions()).extracting(RegionSplit::region).containsExactly("busy", "idle");
    RegionSplit busy = got.regions().get(0);
    assertThat(busy.verdict()).isEqualTo("split");
    assertThat(busy.key()).isEqualTo(sent.key());
    assertThat(busy.leftShare()).isEqualTo(sent.leftShare());
    assertThat(busy.bound()).isEqualTo(sent.bound());
    assertThat(busy.requests()).isEqualTo(sent.requests());
    assertThat(busy.reason()).isEqualTo(sent.reason());
    assertThat(got.regions().get(1).verdict()).isEqualTo("wait");
    assertThat(got.regions().get(1).leftShare()).isNaN();
    assertThat(got.regions().get(1).key()).isEmpty();
  }
}

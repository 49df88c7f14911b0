package io.trimtab.cassandraplugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.plugincore.ranking.Views;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.junit.jupiter.api.Test;

class HearsayTest {
  private static final long MS = 1_000_000;

  private final Peers peers = new Peers();
  private final Peers otherPeers = new Peers();
  private final Views views = new Views(Peers.MOST);
  private final Views otherViews = new Views(Peers.MOST);
  private final Hearsay hearsay = new Hearsay(peers, views);
  private final Hearsay other = new Hearsay(otherPeers, otherViews);

  private static InetAddressAndPort node(int number) {
    try {
      byte[] address = {10, 0, (byte) (number / 256), (byte) number};
      return InetAddressAndPort.getByAddressOverrideDefaults(
          InetAddress.getByAddress(address), 7000);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anotherNodeHearsOfTheSameReplica() {
    peers.number(node(1));
    int mine = peers.number(node(2));
    int others = otherPeers.number(node(2));
    assertThat(mine).isNotEqualTo(others);
    views.learn(mine, 5 * MS, 12, 3 * MS);

    byte[] said = hearsay.tell(7 * MS);
    other.hear(said, 100 * MS, MS);

    long[] entries = new long[1];
    assertThat(said).hasSize(Long.BYTES);
    assertThat(otherViews.tell(100 * MS, 1, entries)).isEqualTo(1);
    assertThat(entries[0] >>> 48).isEqualTo(others);
    assertThat(entries[0] >>> 36 & 0xfff).as("age in 100 µs").isEqualTo(30);
    assertThat(entries[0] >>> 24 & 0xfff).as("queued").isEqualTo(12);
    assertThat(entries[0] >>> 12 & 0xfff)
        .as("1 + 128 · 11 + 59: 2^11 µs · (1 + 59/128)")
        .isEqualTo(1_468);
    assertThat(entries[0] & 0xfff).as("its age in ms").isEqualTo(3);
  }

  @Test
  void whoIsNotKnownIsSkippedAndNonsenseDoesNoHarm() {
    views.learn(peers.number(node(1)), 0, 1, MS);
    byte[] said = hearsay.tell(0);

    other.hear(said, MS, 0);
    other.hear(null, MS, 0);
    other.hear(new byte[7], MS, 0);
    other.hear(new byte[8 * 1000], MS, 0);
    byte[] ones = new byte[80];
    Arrays.fill(ones, (byte) -1);
    other.hear(ones, MS, 0);

    assertThat(otherPeers.count()).isZero();
    assertThat(other.tell(MS)).isEmpty();
  }

  /** Two nodes with one shared number: nobody can tell which is meant. */
  @Test
  void whatCouldBeEitherIsNeitherToldNorHeard() {
    peers.number(node(0));
    int same = 1;
    while (peers.shared(peers.number(node(same))) != Peers.NONE && peers.count() < Peers.MOST) {
      same++;
    }
    assertThat(peers.count()).as("a birthday in 16 bits").isLessThan(Peers.MOST);
    int twin = peers.number(node(same));
    views.learn(twin, 0, 1, MS);
    assertThat(hearsay.tell(0)).isEmpty();
  }
}

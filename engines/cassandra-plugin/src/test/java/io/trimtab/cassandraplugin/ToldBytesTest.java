package io.trimtab.cassandraplugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.plugincore.ranking.Told;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ToldBytesTest {
  private final Told told = new Told();

  private static byte[] some() {
    Told said = new Told();
    said.queued = 12;
    said.service = 3_456_000;
    said.waited = 789_000;
    said.recentService = 2_000_000;
    return ToldBytes.of(said);
  }

  @Test
  void whatIsSaidIsHeardToTheMicrosecond() {
    ToldBytes.read(some(), told);

    assertThat(told.isKnown()).isTrue();
    assertThat(told.queued).isEqualTo(12);
    assertThat(told.service).isEqualTo(3_456_000);
    assertThat(told.waited).isEqualTo(789_000);
    assertThat(told.recentService).isEqualTo(2_000_000);
  }

  @Test
  void nothingAndNonsenseAreNotSaid() {
    ToldBytes.read(some(), told);
    ToldBytes.read(null, told);
    assertThat(told.isKnown()).isFalse();

    byte[] sound = some();
    for (int length = 0; length < sound.length; length++) {
      ToldBytes.read(Arrays.copyOf(sound, length), told);
      assertThat(told.isKnown()).as("%d bytes", length).isFalse();
    }
    for (int at : new int[] {1, 5, 9, 13}) {
      byte[] negative = some();
      negative[at] = (byte) 0x80;
      ToldBytes.read(negative, told);
      assertThat(told.isKnown()).as("negative at %d", at).isFalse();
    }
    byte[] older = some();
    older[0] = 0;
    ToldBytes.read(older, told);
    assertThat(told.isKnown()).isFalse();
  }

  @Test
  void aNewerVersionMaySayMore() {
    byte[] longer = Arrays.copyOf(some(), 40);
    longer[0] = 2;
    ToldBytes.read(longer, told);
    assertThat(told.queued).isEqualTo(12);
  }

  @Test
  void whatIsTooLongForItsBytesIsSaidAsTheLongest() {
    Told said = new Told();
    said.queued = 0;
    said.service = Long.MAX_VALUE;
    said.waited = -5;
    ToldBytes.read(ToldBytes.of(said), told);
    assertThat(told.service).isEqualTo(Integer.MAX_VALUE * 1_000L);
    assertThat(told.waited).isZero();
  }
}

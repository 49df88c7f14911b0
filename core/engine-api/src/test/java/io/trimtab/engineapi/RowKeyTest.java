package io.trimtab.engineapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowKeyTest {
  @Test
  void keysSortAsUnsignedBytes() {
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      byte[] a = new byte[random.nextInt(4)];
      byte[] b = new byte[random.nextInt(4)];
      random.nextBytes(a);
      random.nextBytes(b);
      assertThat(Integer.signum(RowKey.of(a).compareTo(RowKey.of(b))))
          .isEqualTo(Integer.signum(Arrays.compareUnsigned(a, b)));
      assertThat(RowKey.of(a).bytes()).isEqualTo(a);
    }
  }

  @Test
  void whatIsNoTextIsWrittenAsHBaseWritesIt() {
    assertThat(RowKey.of(new byte[] {'a', 0, (byte) 0xFF, '\\'})).hasToString("a\\x00\\xFF\\x5C");
  }

  @Test
  void aSplitKeyIsStrictlyInside() {
    KeyRange range = new KeyRange(key("b"), key("d"));
    assertThat(range.splitsAt(key("b"))).isFalse();
    assertThat(range.splitsAt(key("b\0"))).isTrue();
    assertThat(range.splitsAt(key("d"))).isFalse();
    assertThat(KeyRange.ALL.splitsAt(key("x"))).isTrue();
    assertThat(KeyRange.ALL.splitsAt(RowKey.EMPTY)).isFalse();
    assertThat(range.touches(new KeyRange(key("d"), RowKey.EMPTY))).isTrue();
    assertThat(KeyRange.ALL.touches(KeyRange.ALL)).isFalse();
    assertThat(new KeyRange(RowKey.EMPTY, key("d"))).hasToString("[-∞, d)");
  }

  private static RowKey key(String text) {
    return RowKey.of(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }
}

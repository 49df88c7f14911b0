package io.trimtab.hbasewire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.trimtab.hbasewire.HistogramList.RegionHistogram;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.hbasewire.SplitList.RegionSplit;
import org.junit.jupiter.api.Test;

/** Messages as version 1 wrote them, recorded from it: servers are updated one after another. */
class Version1Test {
  private static final String REPORT =
      "08011205302e312e3018808080800220cc99b366320d4c7275426c6f636b436163686538cc99b366500160036"
          + "8c0c407a00107";
  private static final String RESIZE = "0801119a9999999999e13f199a9999999999b93f2001";
  private static final String BLOCKS =
      "080112001a190a0e2f68626173652f646174612f66311207008080808080201a100a0e2f68626173652f64617"
          + "4612f6632";
  private static final String HISTORY = "0801120831323334616263641a03010203";
  private static final String HISTOGRAMS =
      "080112370a0831323334616263641210000000000000000000000000000031401a10000000000080564000000"
          + "0000000244021000000000000f04012260a0835363738616263644218697420686173206e6f2073746f72"
          + "652066696c65207965744801122d0a083961626364656630422169747320626c6f636b20696e646578206"
          + "86173206e6f74206265656e2072656164";
  private static final String SPLITS =
      "0801124e0a0831323334616263641204776169741a0021000000000000f87f29000000000000f03f30003a266"
          + "f6e6c792030206f6620323030302072657175657374732068617665206265656e207365656e";
  private static final String CACHED_REQUEST = "080112083132333461626364";

  /** Field 900, which no version has: a string. */
  private static final String LATER_FIELD = "a23803616263";

  private static byte[] bytes(String hex) {
    byte[] bytes = new byte[hex.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  @Test
  void itsReportsAreRead() throws InvalidProtocolBufferException {
    for (String hex : new String[] {REPORT, REPORT + LATER_FIELD}) {
      NodeReport report = NodeReport.parse(bytes(hex));

      assertThat(report.number(Field.PROTOCOL)).isEqualTo(1);
      assertThat(report.text(Field.PLUGIN_VERSION)).isEqualTo("0.1.0");
      assertThat(report.number(Field.HEAP_MAX_BYTES)).isEqualTo(512L << 20);
      assertThat(report.text(Field.CACHE_CLASS)).isEqualTo("LruBlockCache");
      assertThat(report.flag(Field.PENDING)).isTrue();
      assertThat(report.number(Field.CPU_USER_MS)).isEqualTo(123_456);
      assertThat(report.number(Field.CPU_IDLE_MS)).isEqualTo(-1);
      assertThat(report.number(Field.FOLLOWED)).isEqualTo(7);
    }
  }

  @Test
  void itsListsAreRead() throws InvalidProtocolBufferException {
    for (String later : new String[] {"", LATER_FIELD}) {
      BlockList blocks = BlockList.parse(bytes(BLOCKS + later));
      assertThat(blocks.files()).hasSize(2);
      assertThat(blocks.files().get(0).offsets()).containsExactly(0L, 1L << 40);

      RegionHistory history = RegionHistory.parse(bytes(HISTORY + later));
      assertThat(history.region()).isEqualTo("1234abcd");
      assertThat(history.accesses()).containsExactly(1, 2, 3);

      var histograms = HistogramList.parse(bytes(HISTOGRAMS + later)).regions();
      assertThat(histograms)
          .extracting(RegionHistogram::region)
          .containsExactly("1234abcd", "5678abcd", "9abcdef0");
      assertThat(histograms.get(0).count(1)).isEqualTo(17);
      assertThat(histograms.get(0).blocks(1)).isEqualTo(10);
      assertThat(histograms.get(0).scanCalls()).isZero();
      assertThat(histograms.get(1).noFiles()).isTrue();
      assertThat(histograms.get(2).reason()).isEqualTo("its block index has not been read");

      var splits = SplitList.parse(bytes(SPLITS + later)).regions();
      assertThat(splits).extracting(RegionSplit::verdict).containsExactly("wait");
      assertThat(splits.get(0).reason()).isEqualTo("only 0 of 2000 requests have been seen");
    }
  }

  @Test
  void itsRequestsAreRead() throws InvalidProtocolBufferException {
    ResizeRequest resize =
        ResizeRequest.of(
            DynamicMessage.parseFrom(NodeProtocol.RESIZE_REQUEST, bytes(RESIZE + LATER_FIELD)));
    assertThat(resize.cacheFraction()).isEqualTo(0.55);
    assertThat(resize.memstoreFraction()).isEqualTo(0.1);
    assertThat(resize.force()).isTrue();

    assertThat(
            BlockList.region(
                DynamicMessage.parseFrom(
                    NodeProtocol.CACHED_REQUEST, bytes(CACHED_REQUEST + LATER_FIELD))))
        .isEqualTo("1234abcd");
  }

  /** All but the version's own number, in byte 1: what version 1 parsed, it still can. */
  @Test
  void whatIsWrittenNowIsWhatItWrote() throws InvalidProtocolBufferException {
    assertThat(BlockList.parse(bytes(BLOCKS)).message().toByteArray())
        .isEqualTo(withVersion(bytes(BLOCKS)));
    assertThat(new ResizeRequest(0.55, 0.1, true).message().toByteArray())
        .isEqualTo(withVersion(bytes(RESIZE)));
    assertThat(BlockList.request("1234abcd").toByteArray())
        .isEqualTo(withVersion(bytes(CACHED_REQUEST)));
    assertThat(RegionHistory.of("1234abcd", new byte[] {1, 2, 3}).message().toByteArray())
        .isEqualTo(withVersion(bytes(HISTORY)));
  }

  private static byte[] withVersion(byte[] message) {
    message[1] = NodeProtocol.VERSION;
    return message;
  }
}

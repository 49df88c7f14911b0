package io.trimtab.hbasewire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.trimtab.hbasewire.NodeReport.Field;
import io.trimtab.plugincore.BlockAccesses;
import java.util.Arrays;
import java.util.Collections;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WireTest {

  @Test
  void aReportComesBackAsItWasSent() throws InvalidProtocolBufferException {
    NodeReport sent =
        NodeReport.builder()
            .put(Field.CACHE_MAX_BYTES, 1L << 40)
            .put(Field.PENDING, true)
            .put(Field.REFUSAL, "nö")
            .build();
    NodeReport got = NodeReport.parse(sent.message().toByteArray());

    assertThat(got.number(Field.PROTOCOL)).isEqualTo(NodeProtocol.VERSION);
    assertThat(got.number(Field.CACHE_MAX_BYTES)).isEqualTo(1L << 40);
    assertThat(got.flag(Field.PENDING)).isTrue();
    assertThat(got.text(Field.REFUSAL)).isEqualTo("nö");
  }

  @Test
  void fieldsOfALaterVersionAreSkipped() throws InvalidProtocolBufferException {
    Message now = NodeReport.builder().put(Field.FAILURES, 3).build().message();
    byte[] later =
        now.toBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(
                        777, UnknownFieldSet.Field.newBuilder().addVarint(5).addFixed64(6).build())
                    .build())
            .build()
            .toByteArray();

    assertThat(later.length).isGreaterThan(now.toByteArray().length);
    assertThat(NodeReport.parse(later).number(Field.FAILURES)).isEqualTo(3);
  }

  @Test
  void whatAnEarlierVersionDoesNotSendIsUnknown() throws InvalidProtocolBufferException {
    NodeReport empty = NodeReport.parse(new byte[0]);

    assertThat(empty.number(Field.LOAD5_MILLI)).isEqualTo(-1);
    assertThat(empty.text(Field.REFUSAL)).isEmpty();
    assertThat(empty.flag(Field.PENDING)).isFalse();
  }

  /** The numbers are the format: servers and controllers of different versions must agree. */
  @Test
  void fieldNumbersNeverChange() {
    assertThat(Arrays.stream(Field.values()).map(f -> f.number() + " " + f.wireName()))
        .containsExactly(
            "1 protocol",
            "2 plugin_version",
            "3 heap_max_bytes",
            "4 cache_max_bytes",
            "5 cache_used_bytes",
            "6 cache_class",
            "7 memstore_max_bytes",
            "8 memstore_used_bytes",
            "9 refusal",
            "10 pending",
            "11 not_resizable",
            "12 failures",
            "13 cpu_user_ms",
            "14 cpu_system_ms",
            "15 cpu_io_wait_ms",
            "16 cpu_idle_ms",
            "17 load5_milli",
            "18 cores",
            "19 warmed",
            "20 followed",
            "21 evicted",
            "22 bucket_max_bytes",
            "23 bucket_used_bytes",
            "24 cached_blocks");
  }

  /** As are the names of services and methods, and the fields of their messages. */
  @Test
  void servicesAndMessagesNeverChange() {
    assertThat(NodeProtocol.SERVICE.getFullName()).isEqualTo("trimtab.NodeService");
    assertThat(NodeProtocol.SERVICE_OF_VERSION_1.getFullName()).isEqualTo("trimtab.ProfileService");
    assertThat(NodeProtocol.SERVICE.getMethods())
        .extracting(m -> m.getName())
        .containsExactly(
            "Report",
            "Resize",
            "Cached",
            "Warm",
            "Splits",
            "Histograms",
            "ExactHistograms",
            "History",
            "Inherit",
            "Evict")
        .isEqualTo(
            NodeProtocol.SERVICE_OF_VERSION_1.getMethods().stream()
                .map(m -> m.getName())
                .collect(Collectors.toList()));
    assertThat(NodeProtocol.REGION_SPLIT.getFields().stream().map(f -> f.getName()))
        .containsExactly("region", "verdict", "key", "left_share", "bound", "requests", "reason");
    assertThat(
            NodeProtocol.REGION_HISTOGRAM.getFields().stream()
                .map(f -> f.getNumber() + " " + f.getName()))
        .containsExactly(
            "1 region",
            "2 count",
            "3 blocks",
            "4 block_bytes",
            "5 scans",
            "6 scan_rows",
            "7 scan_blocks",
            "8 reason",
            "9 no_files",
            "10 scan_calls",
            "11 scan_cells");
    assertThat(NodeProtocol.RESIZE_REQUEST.getFields().stream().map(f -> f.getName()))
        .containsExactly("protocol", "cache_fraction", "memstore_fraction", "force", "epoch");
    assertThat(NodeProtocol.SERVICE.getMethods())
        .filteredOn(m -> m.getInputType().findFieldByName("epoch") != null)
        .extracting(m -> m.getName() + " " + m.getInputType().findFieldByName("epoch").getNumber())
        .containsExactly("Resize 5", "Cached 3", "Warm 4", "History 3", "Inherit 4", "Evict 4");
  }

  @Test
  void aRequestWithoutFractionsAsksForNothingThatAServerWouldDo() {
    ResizeRequest request =
        ResizeRequest.of(DynamicMessage.getDefaultInstance(NodeProtocol.RESIZE_REQUEST));

    assertThat(request.cacheFraction()).isNaN();
    assertThat(request.memstoreFraction()).isNaN();
    assertThat(request.force()).isFalse();
  }

  @Test
  void aBlockListComesBackAsItWasSent() throws InvalidProtocolBufferException {
    BlockList sent =
        BlockList.of(
            Arrays.asList(
                new BlockList.FileBlocks("/hbase/data/f1", Arrays.asList(0L, 1L << 40)),
                new BlockList.FileBlocks("/hbase/data/f2", Collections.emptyList())));
    BlockList got = BlockList.parse(sent.message().toByteArray());

    assertThat(got.refusal()).isEmpty();
    assertThat(got.files())
        .extracting(BlockList.FileBlocks::path)
        .containsExactly("/hbase/data/f1", "/hbase/data/f2");
    assertThat(got.files().get(0).offsets()).containsExactly(0L, 1L << 40);
    assertThat(got.files().get(1).offsets()).isEmpty();
    assertThat(BlockList.parse(BlockList.refused("no").message().toByteArray()).refusal())
        .isEqualTo("no");
    assertThat(BlockList.region(BlockList.request("abc"))).isEqualTo("abc");
  }

  @Test
  void whatWasCountedOfScansComesBackAsItWasSent() throws InvalidProtocolBufferException {
    BlockAccesses accesses =
        new BlockAccesses(
            Arrays.asList(new byte[] {1}, new byte[] {2}, new byte[] {3}),
            new byte[0],
            new byte[0]);
    accesses.addScan();
    accesses.addCall(null, new byte[] {1, 1}, new byte[] {2, 1}, 8, 24);
    accesses.addCall(new byte[] {2, 1}, new byte[] {2, 2}, new byte[] {3, 1}, 5, 15);
    byte[] sent =
        new HistogramList.Builder().add("abc", accesses, 1, 33_000).message().toByteArray();

    HistogramList.RegionHistogram got = HistogramList.parse(sent).regions().get(0);

    assertThat(got.scans()).isEqualTo(1);
    assertThat(got.scanCalls()).isEqualTo(2);
    assertThat(got.scanRows()).isEqualTo(13);
    assertThat(got.scanCells()).isEqualTo(39);
    assertThat(got.scanBlocks()).isEqualTo(3);
  }

  @Test
  void aRequestComesBackAsItWasSent() {
    ResizeRequest got = ResizeRequest.of(new ResizeRequest(0.55, 0.1, true).message());

    assertThat(got.cacheFraction()).isEqualTo(0.55);
    assertThat(got.memstoreFraction()).isEqualTo(0.1);
    assertThat(got.force()).isTrue();
  }

  @Test
  void anEpochComesBackAsItWasSent() throws InvalidProtocolBufferException {
    Message resize = new ResizeRequest(0.55, 0.1, true).message();
    byte[] sent = ControllerEpoch.on(resize, 7).toByteArray();
    Message got = DynamicMessage.parseFrom(NodeProtocol.RESIZE_REQUEST, sent);

    assertThat(ControllerEpoch.of(got)).isEqualTo(7);
    assertThat(ResizeRequest.of(got).cacheFraction()).isEqualTo(0.55);
    // As a controller without an epoch, and one of an earlier version, send it.
    assertThat(ControllerEpoch.on(resize, 0)).isSameAs(resize);
    assertThat(ControllerEpoch.of(resize)).isEqualTo(ControllerEpoch.NONE);
    assertThat(ControllerEpoch.of(SplitList.request())).isEqualTo(ControllerEpoch.NONE);
  }

  @Test
  void anEpochIsOnlyOnWhatChangesSomething() {
    assertThatThrownBy(() -> ControllerEpoch.on(SplitList.request(), 7))
        .hasMessage("SplitsRequest changes nothing and has no epoch");
    assertThatThrownBy(() -> ControllerEpoch.on(BlockList.request("r"), -1))
        .hasMessage("an epoch must be ≥ 0, not -1");
  }
}

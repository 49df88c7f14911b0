package io.trimtab.hbase.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.host.Clocks;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Which changes are sent, by what is found of earlier ones. */
class BlockSizesTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int SMALL = 8 << 10;
  private static final int LARGE = 64 << 10;
  private static final String RUNNING =
      """
      {"className": "org.apache.hadoop.hbase.master.procedure.ModifyTableProcedure",
       "state": "WAITING", "stateMessage": [{"modifiedTableSchema": {
         "tableName": {"namespace": "ZGVmYXVsdA==", "qualifier": "dA=="}}}]}
      """;

  /** A change that was sent: its block size, whether it is marked, whether it reopens. */
  private record Sent(int bytes, boolean marked, boolean reopens) {}

  private final List<Sent> sent = new ArrayList<>();
  private final Deque<String> procedures = new ArrayDeque<>();
  private final Deque<IOException> failures = new ArrayDeque<>();
  private TableDescriptor table = table(LARGE, false);

  /** What an earlier change leaves when it has ended; null: there is none. */
  private TableDescriptor left;

  private Duration limit = Duration.ofMinutes(10);

  /** By the engine's clock, for each look that finds a change under way. */
  private Duration lookTakes = Duration.ZERO;

  private long nowNs;

  /** Of a change that does not fail. */
  private CompletableFuture<Void> answered = CompletableFuture.completedFuture(null);

  private static TableDescriptor table(int bytes, boolean marked) {
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder("f".getBytes(StandardCharsets.UTF_8))
                    .setBlocksize(bytes)
                    .build());
    if (marked) {
      builder
          .setValue("trimtab.reopening", "true")
          .setValue("hbase.reopen.table.regions.progressive.batch.size.max", "1");
    }
    return builder.build();
  }

  private Admin admin() {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, called, arguments) -> answer(called.getName(), arguments));
  }

  private Object answer(String called, Object[] arguments) throws IOException {
    return switch (called) {
      case "getDescriptor" -> table;
      case "getProcedures" -> procedures();
      case "modifyTableAsync" -> modify((TableDescriptor) arguments[0], (Boolean) arguments[1]);
      default -> throw new AssertionError(called);
    };
  }

  private String procedures() {
    if (!procedures.isEmpty()) {
      nowNs += lookTakes.toNanos();
      return "[" + procedures.remove() + "]";
    }
    if (left != null) {
      table = left;
      left = null;
    }
    return "[]";
  }

  private Object modify(TableDescriptor changed, boolean reopens) throws IOException {
    boolean marked = changed.getValue("trimtab.reopening") != null;
    sent.add(new Sent(changed.getColumnFamilies()[0].getBlocksize(), marked, reopens));
    if (!failures.isEmpty()) {
      throw failures.remove();
    }
    table = changed;
    return answered;
  }

  private void set(String version) throws EngineException {
    Clocks clocks = new Clocks(Clocks.SYSTEM.wall(), () -> nowNs, time -> {});
    new BlockSizes(admin(), admin(), version, clocks).set("t", SMALL, limit, InCharge.ANYBODY);
  }

  @Test
  void regionsAreReopenedOneByOneUnderAMarkThatIsRemoved() throws EngineException {
    set("2.6.4");

    assertThat(sent).containsExactly(new Sent(SMALL, true, true), new Sent(SMALL, false, false));
    assertThat(table).isEqualTo(table(SMALL, false));
  }

  @Test
  void aTableThatHasTheSizeIsLeftAlone() throws EngineException {
    table = table(SMALL, false);

    set("2.6.4");
    set("2.5.6");

    assertThat(sent).isEmpty();
  }

  /** Whoever has set both has reopened the regions, or the master would still be at it. */
  @Test
  void whereAnEarlierCallHasOnlyLeftTheMarkNothingIsReopened() throws EngineException {
    table = table(SMALL, true);

    set("2.6.4");

    assertThat(sent).containsExactly(new Sent(SMALL, false, false));
  }

  @Test
  void aChangeThatIsUnderWayIsWaitedForAndFinished() throws EngineException {
    table = table(SMALL, true);
    procedures.addAll(List.of(RUNNING, RUNNING));

    set("2.6.4");

    assertThat(procedures).isEmpty();
    assertThat(sent).containsExactly(new Sent(SMALL, false, false));
  }

  /** The table is looked at again when it has ended. */
  @Test
  void aChangeThatHadJustBegunIsFinished() throws EngineException {
    procedures.add(RUNNING);
    left = table(SMALL, true);

    set("2.6.4");

    assertThat(sent).containsExactly(new Sent(SMALL, false, false));
  }

  @Test
  void whereAnEarlierCallIsAboutToRemoveTheMarkNothingIsLeftToDo() throws EngineException {
    table = table(SMALL, true);
    procedures.add(RUNNING);
    left = table(SMALL, false);

    set("2.6.4");

    assertThat(sent).isEmpty();
  }

  @Test
  void theMarkOfAnotherSizeDoesNotHinderThisOne() throws EngineException {
    table = table(LARGE, true);

    set("2.6.4");

    assertThat(sent).containsExactly(new Sent(SMALL, true, true), new Sent(SMALL, false, false));
  }

  @Test
  void aMarkThatCouldNotBeRemovedIsTriedAgainWithoutReopening() throws EngineException {
    table = table(SMALL, true);
    failures.add(new DoNotRetryIOException("the procedure was aborted"));

    set("2.6.4");

    Sent removal = new Sent(SMALL, false, false);
    assertThat(sent).containsExactly(removal, removal);
    assertThat(table).isEqualTo(table(SMALL, false));
  }

  @Test
  void theOperatorsOwnThrottleStays() throws EngineException {
    byte[] own = Bytes.toBytes("hbase.reopen.table.regions.progressive.batch.size.max");
    table = TableDescriptorBuilder.newBuilder(table).setValue(own, Bytes.toBytes("8")).build();

    set("2.6.4");

    assertThat(sent).containsExactly(new Sent(SMALL, false, true));
    assertThat(table.getValue(own)).isEqualTo(Bytes.toBytes("8"));
  }

  @Test
  void earlierVersionsReopenInOneGo() throws EngineException {
    set("2.5.6");

    assertThat(sent).containsExactly(new Sent(SMALL, false, true));
  }

  /** No mark tells of it there. */
  @Test
  void earlierVersionsAreAskedForAChangeThatIsUnderWayFirst() throws EngineException {
    table = table(SMALL, false);
    procedures.add(RUNNING);

    set("2.5.6");

    assertThat(procedures).isEmpty();
    assertThat(sent).isEmpty();
  }

  @Test
  void anEarlierChangeIsWaitedForWithinTheLimitOnly() {
    procedures.addAll(Collections.nCopies(100, RUNNING));
    limit = Duration.ofMillis(10);

    assertThatThrownBy(() -> set("2.6.4"))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "setting the block size of t (0 s): an earlier change of the table has not ended after"
                + " 0.01 s");
    assertThat(sent).isEmpty();
  }

  @Test
  void whatTheWaitHasTakenIsMissingToTheChange() {
    procedures.add(RUNNING);
    assertOneSecondIsLeftFor(new Sent(SMALL, true, true));
  }

  @Test
  void whatTheWaitHasTakenIsMissingToTheRemovalOfTheMark() {
    table = table(SMALL, true);
    procedures.add(RUNNING);
    assertOneSecondIsLeftFor(new Sent(SMALL, false, false));
  }

  private void assertOneSecondIsLeftFor(Sent change) {
    lookTakes = limit.minusSeconds(1);
    answered = new CompletableFuture<>();

    assertThatThrownBy(() -> set("2.6.4"))
        .isInstanceOf(EngineException.class)
        .hasMessage("setting the block size of t (600 s) has not ended after 1 s");
    assertThat(sent).containsExactly(change);
  }

  @Test
  void whatTheMasterRefusesIsToldInOneLine() {
    failures.add(new DoNotRetryIOException("the block size is out of range\n\tat a.B"));

    assertThatThrownBy(() -> set("2.6.4"))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "setting the block size of t (600 s): DoNotRetryIOException: the block size is out of"
                + " range");
    assertThat(sent).hasSize(1);
  }
}

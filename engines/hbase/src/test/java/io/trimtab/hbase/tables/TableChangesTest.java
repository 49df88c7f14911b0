package io.trimtab.hbase.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

/** Against a master that answers too late, or has not got the change. */
class TableChangesTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration LATE = Duration.ofSeconds(1);
  private static final TableName TABLE = TableName.valueOf("t");
  private static final TableDescriptor BEFORE = table(1);
  private static final TableDescriptor CHANGED = table(2);
  private static final String MODIFY = "org.apache.hadoop.hbase.master.procedure.ModifyTable";

  private final Deque<String> procedures = new ArrayDeque<>();
  private IOException failure = asOfTheClient(new CallTimeoutException("waitTime=15001ms"));
  private TableDescriptor found = CHANGED;
  private int sent;
  private int looks;

  /** Looks after which the change is in force; 0: it has nothing to do with them. */
  private int arrivesAfter;

  /** HBase's client wraps what has gone wrong. */
  private static IOException asOfTheClient(IOException cause) {
    return new RetriesExhaustedException("Failed after attempts=1", cause);
  }

  private static TableDescriptor table(int blocks) {
    return TableDescriptorBuilder.newBuilder(TABLE)
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder("f".getBytes(StandardCharsets.UTF_8))
                .setBlocksize(blocks << 10)
                .build())
        .build();
  }

  /** As HBase 2.6.4's master tells it, with what is looked at. */
  private static String procedure(String name, String state, String namespace, String table) {
    return """
        {"className": "%sProcedure", "procId": "60", "owner": "root", "state": "%s",
         "stateMessage": [
           {"state": [1, 2, 8, 3, 4, 6, 7, 9]},
           {"userInfo": {"effectiveUser": "root"},
            "modifiedTableSchema": {
              "tableName": {"namespace": "%s", "qualifier": "%s"}, "attributes": []}}]}
        """
        .formatted(name, state, base64(namespace), base64(table));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private Admin admin() {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, called, arguments) -> answer(called.getName()));
  }

  private Object answer(String called) throws IOException {
    switch (called) {
      case "getProcedures" -> {
        looks++;
        if (looks == arrivesAfter) {
          found = CHANGED;
        }
        return "[" + (procedures.isEmpty() ? "" : procedures.remove()) + "]";
      }
      case "getDescriptor" -> {
        return found;
      }
      case "modifyTableAsync" -> {
        sent++;
        if (failure != null) {
          throw failure;
        }
        return CompletableFuture.completedFuture(null);
      }
      default -> throw new AssertionError(called);
    }
  }

  private void make() throws IOException, EngineException {
    new TableChanges(admin(), admin(), LATE)
        .make("changing t", CHANGED, true, CHANGED::equals, LIMIT, InCharge.ANYBODY);
  }

  @Test
  void whatWasNotAnsweredInTimeIsWaitedForAndNotSentAgain() throws Exception {
    procedures.addAll(
        List.of(
            procedure(MODIFY, "RUNNABLE", "default", "t"),
            procedure(MODIFY, "WAITING", "default", "t"),
            procedure(MODIFY, "SUCCESS", "default", "t")));

    make();

    assertThat(sent).isEqualTo(1);
    assertThat(looks).isEqualTo(3);
  }

  /** The connection of a master that goes on after a failover, for example. */
  @Test
  void soIsWhatFailedWithoutAnAnswer() throws Exception {
    failure = new IOException("Connection closed");
    procedures.add(procedure(MODIFY, "WAITING", "default", "t"));

    make();

    assertThat(sent).isEqualTo(1);
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void whatTheMasterHasNotGotFails() {
    found = BEFORE;

    assertThatThrownBy(this::make)
        .isInstanceOf(EngineException.class)
        .hasMessage("changing t: CallTimeoutException: waitTime=15001ms");
    assertThat(sent).isEqualTo(1);
  }

  /** It is read after the look at the procedures: the regions are about to be reopened. */
  @Test
  void whatArrivesAfterTheLookIsWaitedForAllTheSame() throws Exception {
    found = BEFORE;
    procedures.add("");
    procedures.add(procedure(MODIFY, "RUNNABLE", "default", "t"));
    arrivesAfter = 1;

    make();

    assertThat(sent).isEqualTo(1);
    assertThat(looks).isEqualTo(3);
  }

  @Test
  void whatTheMasterRefusesIsNotLookedFor() {
    for (IOException refusal :
        List.of(
            new AccessDeniedException("Insufficient permissions"),
            asOfTheClient(new DoNotRetryIOException("hbase.table.sanity.checks")))) {
      failure = refusal;
      assertThatThrownBy(this::make).isSameAs(refusal);
    }
    assertThat(looks).isZero();
  }

  @Test
  void whoLosesControlMeanwhileDoesNotGoOn() {
    procedures.add(procedure(MODIFY, "WAITING", "default", "t"));
    InCharge lost =
        () -> {
          if (looks > 0) {
            throw new LostControlException("another controller has taken over");
          }
        };

    assertThatThrownBy(
            () ->
                new TableChanges(admin(), admin(), LATE)
                    .make("changing t", CHANGED, true, CHANGED::equals, LIMIT, lost))
        .isInstanceOf(LostControlException.class);
    assertThat(looks).isEqualTo(1);
  }

  @Test
  void anAnsweredChangeNeedsNoLook() throws Exception {
    failure = null;

    make();

    assertThat(sent).isEqualTo(1);
    assertThat(looks).isZero();
  }

  @Test
  void onlyAChangeOfThisTableThatHasNotEndedCounts() throws IOException {
    for (String state : List.of("INITIALIZING", "RUNNABLE", "WAITING", "WAITING_TIMEOUT")) {
      assertThat(isModified(procedure(MODIFY, state, "default", "t"))).as(state).isTrue();
    }
    for (String state : List.of("SUCCESS", "ROLLEDBACK")) {
      assertThat(isModified(procedure(MODIFY, state, "default", "t"))).as(state).isFalse();
    }
    assertThat(isModified(procedure(MODIFY, "WAITING", "default", "u"))).isFalse();
    assertThat(isModified(procedure(MODIFY, "WAITING", "other", "t"))).isFalse();
    String another = "org.apache.hadoop.hbase.master.procedure.CreateTable";
    assertThat(isModified(procedure(another, "WAITING", "default", "t"))).isFalse();
    String both =
        procedure(another, "SUCCESS", "default", "t")
            + ","
            + procedure(MODIFY, "WAITING", "default", "t");
    assertThat(isModified(both)).isTrue();
  }

  private static boolean isModified(String procedures) throws IOException {
    return TableChanges.isModified("[" + procedures + "]", TABLE);
  }

  @Test
  void nonsenseIsNotTakenForNoChange() {
    for (String nonsense : List.of("no JSON", "", "{}", "[{]")) {
      assertThatThrownBy(() -> TableChanges.isModified(nonsense, TABLE))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("the master's procedures ");
    }
    String nameless = procedure(MODIFY, "WAITING", "default", "t").replace(base64("t"), "?");
    assertThatThrownBy(() -> isModified(nameless))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the master's procedures name no table: ");
  }
}

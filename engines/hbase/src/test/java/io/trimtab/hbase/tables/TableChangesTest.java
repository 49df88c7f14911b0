package io.trimtab.hbase.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
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
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.junit.jupiter.api.Test;

/** Against a master that answers too late, or has not got the change. */
class TableChangesTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final TableName TABLE = TableName.valueOf("t");
  private static final TableDescriptor BEFORE = table(1);
  private static final TableDescriptor CHANGED = table(2);
  private static final String MODIFY = "org.apache.hadoop.hbase.master.procedure.ModifyTable";

  private final Deque<String> procedures = new ArrayDeque<>();
  private IOException failure = new CallTimeoutException("Call[id=1,methodName=ModifyTable]");
  private TableDescriptor found = CHANGED;
  private int sent;
  private int looks;

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
    new TableChanges(admin(), admin()).make("changing t", CHANGED, true, LIMIT, InCharge.ANYBODY);
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

  @Test
  void whatTheMasterHasNotGotFails() {
    found = BEFORE;

    assertThatThrownBy(this::make).isSameAs(failure);
    assertThat(sent).isEqualTo(1);
  }

  @Test
  void otherFailuresAreNotWaitedFor() {
    failure = new IOException("no route to host");

    assertThatThrownBy(this::make).isSameAs(failure);
    assertThat(looks).isZero();
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
    assertThatThrownBy(() -> TableChanges.isModified("no JSON", TABLE))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the master's procedures can't be read: ");
  }
}

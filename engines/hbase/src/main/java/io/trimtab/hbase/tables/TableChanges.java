package io.trimtab.hbase.tables;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseErrors;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;

/**
 * Changes of tables' settings. HBase's master executes one of a table at a time, and answers when
 * all regions have been reopened: of a large table long after its client has ceased to wait. Who
 * asked again would have everything reopened again, so that what the master does is looked at.
 *
 * @param admin for what changes nothing
 * @param changes sends each request once
 */
record TableChanges(Admin admin, Admin changes) {
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final String MODIFY = "ModifyTableProcedure";
  private static final Set<String> ENDED = Set.of("SUCCESS", "ROLLEDBACK");
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Changes a table, and waits until its regions have been reopened.
   *
   * @param what for messages
   * @param limit for each of the change and the wait for one that was not answered
   */
  void make(String what, TableDescriptor changed, boolean reopen, Duration limit, InCharge control)
      throws IOException, EngineException {
    try {
      HBaseErrors.ended(what, changes.modifyTableAsync(changed, reopen), limit);
    } catch (IOException e) {
      if (!isUnanswered(e)) {
        throw e;
      }
      awaitNone(what, changed.getTableName(), limit, control);
      if (!admin.getDescriptor(changed.getTableName()).equals(changed)) {
        throw e;
      }
    }
  }

  private static boolean isUnanswered(Throwable e) {
    return e instanceof CallTimeoutException || e.getCause() != null && isUnanswered(e.getCause());
  }

  /** Until no change of a table is being executed, whoever asked for it. */
  void awaitNone(String what, TableName table, Duration limit, InCharge control)
      throws EngineException {
    HBaseErrors.RETRY
        .under(control)
        .until(what, limit, PAUSE, () -> !isModified(admin.getProcedures(), table));
  }

  /**
   * Whether a change of a table is being executed.
   *
   * @param procedures as HBase's master tells them, in JSON, with those that ended lately
   */
  static boolean isModified(String procedures, TableName table) throws IOException {
    try {
      for (JsonNode procedure : JSON.readTree(procedures)) {
        if (procedure.path("className").asText().endsWith("." + MODIFY)
            && !ENDED.contains(procedure.path("state").asText())
            && tables(procedure).anyMatch(table::equals)) {
          return true;
        }
      }
      return false;
    } catch (JsonProcessingException e) {
      throw new IOException("the master's procedures can't be read: " + e.getOriginalMessage(), e);
    }
  }

  /** Which tables a procedure names; HBase writes bytes by base 64. */
  private static Stream<TableName> tables(JsonNode procedure) {
    return procedure.findValues("tableName").stream()
        .map(name -> TableName.valueOf(bytes(name, "namespace"), bytes(name, "qualifier")));
  }

  private static byte[] bytes(JsonNode name, String part) {
    return Base64.getDecoder().decode(name.path(part).asText());
  }
}

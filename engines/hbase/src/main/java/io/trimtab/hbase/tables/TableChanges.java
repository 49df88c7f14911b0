package io.trimtab.hbase.tables;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseErrors;
import io.trimtab.host.InCharge;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of tables' settings. HBase's master answers when all regions have been reopened: of a
 * large table long after its client has ceased to wait. Who asked again would have everything
 * reopened again, so that what the master does is looked at.
 */
public final class TableChanges {
  private static final Logger LOG = LoggerFactory.getLogger(TableChanges.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** For one look at a master that does not answer. */
  private static final Duration LOOK_LIMIT = Duration.ofMinutes(1);

  /** A master that has stood still may read a request this much later than a look. */
  private static final Duration LATE = Duration.ofSeconds(20);

  private static final long NEVER = Long.MIN_VALUE;

  /** A master that has reopened thousands of regions lists all of them. */
  private static final int REST_PER_LOOK = 10;

  private static final Duration LONGEST_REST = Duration.ofSeconds(30);
  private static final String MODIFY = "ModifyTableProcedure";
  private static final Set<String> ENDED = Set.of("SUCCESS", "ROLLEDBACK");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Admin admin;
  private final Admin changes;
  private final Duration late;

  /**
   * @param admin for what changes nothing
   * @param changes sends each request once
   */
  public TableChanges(Admin admin, Admin changes) {
    this(admin, changes, LATE);
  }

  /** With a time of a test's for requests that are read late. */
  TableChanges(Admin admin, Admin changes, Duration late) {
    this.admin = admin;
    this.changes = changes;
    this.late = late;
  }

  /**
   * Changes a table, and waits until its regions have been reopened.
   *
   * @param what for messages
   * @param wanted whether a table's settings are as they are to be
   * @param limit for each of the change and the wait for one that was not answered
   * @throws IOException if the master refuses it
   * @throws EngineException if it has not ended by then, the master has not got it, or control is
   *     lost
   */
  public void make(
      String what,
      TableDescriptor changed,
      boolean reopen,
      Predicate<TableDescriptor> wanted,
      Duration limit,
      InCharge control)
      throws IOException, EngineException {
    make(what, changed, reopen, wanted, () -> limit, control);
  }

  /**
   * As {@link #make(String, TableDescriptor, boolean, Predicate, Duration, InCharge)}, of a verb
   * that has one limit for all its steps.
   *
   * @param left of that limit, asked at the beginning of each wait
   */
  void make(
      String what,
      TableDescriptor changed,
      boolean reopen,
      Predicate<TableDescriptor> wanted,
      Supplier<Duration> left,
      InCharge control)
      throws IOException, EngineException {
    try {
      HBaseErrors.ended(what, changes.modifyTableAsync(changed, reopen), left.get());
    } catch (IOException e) {
      if (Interrupts.in(e) || isRefusal(e)) {
        throw e;
      }
      LOG.info("{}: {}; HBase's master may have begun it", what, HBaseErrors.line(e));
      follow(what, changed.getTableName(), wanted, e, left.get(), control);
    }
  }

  private static boolean isRefusal(Throwable e) {
    return e instanceof DoNotRetryIOException || e.getCause() != null && isRefusal(e.getCause());
  }

  /** Until a change that was not answered has ended, or is not found at all. */
  private void follow(
      String what,
      TableName table,
      Predicate<TableDescriptor> wanted,
      IOException unanswered,
      Duration limit,
      InCharge control)
      throws EngineException {
    // Since when it was in neither place; a master that stands still answers no look.
    long[] missing = {NEVER};
    until(
        what,
        limit,
        control,
        () -> {
          // In this order: it is in force before its regions have been reopened.
          boolean inForce = wanted.test(admin.getDescriptor(table));
          if (isModified(admin.getProcedures(), table)) {
            missing[0] = NEVER;
            return false;
          }
          if (inForce) {
            return true;
          }
          long now = System.nanoTime();
          if (missing[0] == NEVER) {
            missing[0] = now;
          }
          if (now - missing[0] > late.toNanos()) {
            throw HBaseErrors.failed(what, unanswered);
          }
          return false;
        });
  }

  /** Until no change of a table is being executed, whoever asked for it. */
  void awaitNone(String what, TableName table, Duration limit, InCharge control)
      throws EngineException {
    until(what, limit, control, () -> !isModified(admin.getProcedures(), table));
  }

  /** A look at the master. */
  private interface Look {
    boolean ended() throws Exception;
  }

  /** A change may take hours; a master that does not answer is given up earlier. */
  private static void until(String what, Duration limit, InCharge control, Look look)
      throws EngineException {
    // What is left of a verb's limit may be shorter than either.
    Duration lookLimit = shorter(LOOK_LIMIT, limit);
    Duration longestRest = shorter(LONGEST_REST, limit);
    HBaseErrors.RETRY
        .under(control)
        .until(
            what,
            limit,
            PAUSE,
            () -> {
              long begun = System.nanoTime();
              boolean ended =
                  HBaseErrors.RETRY
                      .under(control)
                      .ask(what, lookLimit, PAUSE, again -> look.ended());
              if (!ended) {
                long rest = REST_PER_LOOK * (System.nanoTime() - begun);
                TimeUnit.NANOSECONDS.sleep(Math.min(rest, longestRest.toNanos()));
              }
              return ended;
            });
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * Whether a change of a table is being executed.
   *
   * @param procedures as HBase's master tells them, in JSON, with those that ended lately
   */
  static boolean isModified(String procedures, TableName table) throws IOException {
    try (JsonParser parser = JSON.createParser(procedures)) {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        throw new IOException("the master's procedures are no list");
      }
      // One at a time: there may be three for each region that was reopened.
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        JsonNode procedure = parser.readValueAsTree();
        if (procedure.path("className").asText().endsWith("." + MODIFY)
            && !ENDED.contains(procedure.path("state").asText())
            && tables(procedure).anyMatch(table::equals)) {
          return true;
        }
      }
      return false;
    } catch (JsonProcessingException e) {
      throw new IOException("the master's procedures can't be read: " + e.getOriginalMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new IOException("the master's procedures name no table: " + e.getMessage(), e);
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

package io.trimtab.hbase.tables;

import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseErrors;
import io.trimtab.host.Clocks;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * How large the blocks of tables' files are.
 *
 * @param admin for what changes nothing
 * @param changes sends each request once
 * @param version of HBase
 */
public record BlockSizes(Admin admin, Admin changes, String version, Clocks clocks) {
  /** HBase's own name for how many regions of a table it reopens at once; 2.6 and later. */
  private static final String REOPEN_AT_ONCE =
      "hbase.reopen.table.regions.progressive.batch.size.max";

  /** On a table whose regions are being reopened by this engine. */
  private static final String REOPENING = "trimtab.reopening";

  private static final Duration PAUSE = Duration.ofMillis(500);

  /**
   * Sets the block size of all column families. HBase's stores take their settings when their
   * region opens, so its regions are reopened, one at a time where the version can do that. While
   * that goes on, the table carries a mark, by which a later call knows that it was not finished.
   *
   * @param limit for all of it: the wait for an earlier change of the table, whoever asked for it,
   *     the reopening, and the removal of the mark
   * @throws EngineException if it has not ended by then, or control is lost
   */
  public void set(String table, int bytes, Duration limit, InCharge control)
      throws EngineException {
    long begunNs = clocks.nowNs();
    Supplier<Duration> left = () -> clocks.left(begunNs, limit);
    String what = "setting the block size of %s (%d s)".formatted(table, limit.toSeconds());
    TableName name = TableName.valueOf(table);
    try {
      if (version.startsWith("2.6.")) {
        oneByOne(what, name, bytes, left, control);
      } else {
        atOnce(what, name, bytes, left, control);
      }
    } catch (IOException e) {
      throw HBaseErrors.failed(what, e);
    }
  }

  /** No mark tells of an earlier call's change here. */
  private void atOnce(
      String what, TableName name, int bytes, Supplier<Duration> left, InCharge control)
      throws IOException, EngineException {
    awaitNone(what, name, left, control);
    TableDescriptor now = admin.getDescriptor(name);
    if (!hasSize(now, bytes)) {
      control.require();
      modify().make(what, sized(now, bytes).build(), true, t -> hasSize(t, bytes), left, control);
    }
  }

  private void oneByOne(
      String what, TableName name, int bytes, Supplier<Duration> left, InCharge control)
      throws IOException, EngineException {
    TableDescriptor now = admin.getDescriptor(name);
    if (hasSize(now, bytes) && !isMarked(now)) {
      return;
    }
    awaitNone(what, name, left, control);
    // It may have ended between the two looks, or have been the removal of the mark.
    now = admin.getDescriptor(name);
    if (hasSize(now, bytes) && !isMarked(now)) {
      return;
    }
    boolean ownThrottle = isMarked(now) || now.getValue(REOPEN_AT_ONCE) == null;
    if (hasSize(now, bytes) && isMarked(now)) {
      // What has set both has reopened the regions, too: it is one procedure. One that a master has
      // read late may have come between the two looks.
      awaitNone(what, name, left, control);
    } else {
      control.require();
      TableDescriptorBuilder change = sized(now, bytes);
      if (ownThrottle) {
        change.setValue(REOPENING, "true").setValue(REOPEN_AT_ONCE, "1");
      }
      modify().make(what, change.build(), true, t -> hasSize(t, bytes), left, control);
    }
    if (ownThrottle) {
      removeMark(what, name, left, control);
    }
  }

  private void awaitNone(String what, TableName name, Supplier<Duration> left, InCharge control)
      throws EngineException {
    modify().awaitNone(what + ": an earlier change of the table", name, left.get(), control);
  }

  /** A successor that finds the mark goes on from here. Others may have changed the table, too. */
  private void removeMark(String what, TableName name, Supplier<Duration> left, InCharge control)
      throws EngineException {
    HBaseErrors.RETRY
        .under(control)
        .until(
            what,
            left.get(),
            PAUSE,
            () -> {
              TableDescriptor now = admin.getDescriptor(name);
              if (!isMarked(now)) {
                return true;
              }
              TableDescriptor without =
                  TableDescriptorBuilder.newBuilder(now)
                      .removeValue(Bytes.toBytes(REOPENING))
                      .removeValue(Bytes.toBytes(REOPEN_AT_ONCE))
                      .build();
              control.require();
              modify().make(what, without, false, t -> !isMarked(t), left, control);
              return true;
            });
  }

  private TableChanges modify() {
    return new TableChanges(admin, changes);
  }

  private static boolean isMarked(TableDescriptor table) {
    return table.getValue(REOPENING) != null;
  }

  private static boolean hasSize(TableDescriptor table, int bytes) {
    return Arrays.stream(table.getColumnFamilies()).allMatch(f -> f.getBlocksize() == bytes);
  }

  private static TableDescriptorBuilder sized(TableDescriptor table, int bytes) {
    TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(table);
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      changed.modifyColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family).setBlocksize(bytes).build());
    }
    return changed;
  }
}

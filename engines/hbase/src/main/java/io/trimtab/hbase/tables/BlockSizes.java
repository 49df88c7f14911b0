package io.trimtab.hbase.tables;

import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseErrors;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
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
public record BlockSizes(Admin admin, Admin changes, String version) {
  /** HBase's own name for how many regions of a table it reopens at once; 2.6 and later. */
  private static final String REOPEN_AT_ONCE =
      "hbase.reopen.table.regions.progressive.batch.size.max";

  /** On a table whose regions are being reopened by this engine. */
  private static final String REOPENING = "trimtab.reopening";

  private static final Duration LEAST_LIMIT = Duration.ofMinutes(10);
  private static final Duration LIMIT_OF_REGION = Duration.ofSeconds(10);

  /**
   * Sets the block size of all column families. HBase's stores take their settings when their
   * region opens, so its regions are reopened, one at a time where the version can do that: for up
   * to 10 s each, or 10 min if that is longer. While that goes on, the table carries a mark, by
   * which a later call knows that it was not finished.
   *
   * @throws EngineException if it has not ended by then, or control is lost
   */
  public void set(String table, int bytes, InCharge control) throws EngineException {
    String what = "setting the block size of " + table;
    TableName name = TableName.valueOf(table);
    TableChanges modify = new TableChanges(admin, changes);
    try {
      Duration limit = limit(name);
      // An earlier call, or a controller that is gone, may have begun it.
      modify.awaitNone(what + ": an earlier change of the table", name, limit, control);
      TableDescriptor before = admin.getDescriptor(name);
      boolean marked = before.getValue(REOPENING) != null;
      boolean same =
          Arrays.stream(before.getColumnFamilies()).allMatch(f -> f.getBlocksize() == bytes);
      if (same && !marked) {
        return;
      }
      control.require();
      TableDescriptorBuilder change = withBlockSize(before, bytes);
      if (!version.startsWith("2.6.")) {
        modify.make(what, change.build(), true, limit, control);
        return;
      }
      boolean ownThrottle = marked || before.getValue(REOPEN_AT_ONCE) == null;
      if (ownThrottle) {
        change.setValue(REOPENING, "true").setValue(REOPEN_AT_ONCE, "1");
      }
      modify.make(what, change.build(), true, limit, control);
      if (ownThrottle) {
        // Reopening took minutes. A successor that finds the mark goes on from here.
        control.require();
        change.removeValue(Bytes.toBytes(REOPENING)).removeValue(Bytes.toBytes(REOPEN_AT_ONCE));
        modify.make(what, change.build(), false, limit, control);
      }
    } catch (IOException e) {
      throw HBaseErrors.failed(what, e);
    }
  }

  private Duration limit(TableName table) throws IOException {
    Duration all = LIMIT_OF_REGION.multipliedBy(admin.getRegions(table).size());
    return all.compareTo(LEAST_LIMIT) > 0 ? all : LEAST_LIMIT;
  }

  private static TableDescriptorBuilder withBlockSize(TableDescriptor table, int bytes) {
    TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(table);
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      changed.modifyColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family).setBlocksize(bytes).build());
    }
    return changed;
  }
}

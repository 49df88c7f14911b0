package io.trimtab.cassandraplugin.tables;

import io.trimtab.cassandraplugin.RankingMXBean;
import io.trimtab.cassandraplugin.ReplicaView;
import java.util.List;
import java.util.function.Supplier;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;

/** How this node sees the replicas, as a table: {@code SELECT * FROM trimtab_views.replicas}. */
public final class ReplicasTable extends AbstractVirtualTable {
  /** The virtual keyspace. */
  static final String KEYSPACE = "trimtab_views";

  private final Supplier<List<ReplicaView>> views;

  private ReplicasTable(Supplier<List<ReplicaView>> views) {
    super(
        TableMetadata.builder(KEYSPACE, "replicas")
            .kind(TableMetadata.Kind.VIRTUAL)
            .comment("how this node ranks the replicas of reads")
            .partitioner(new LocalPartitioner(UTF8Type.instance))
            .addPartitionKeyColumn("address", UTF8Type.instance)
            .addRegularColumn("score", DoubleType.instance)
            .addRegularColumn("outstanding", Int32Type.instance)
            .addRegularColumn("queued", DoubleType.instance)
            .addRegularColumn("service_ms", DoubleType.instance)
            .addRegularColumn("waited_ms", DoubleType.instance)
            .addRegularColumn("messages_ms", DoubleType.instance)
            .addRegularColumn("trust", DoubleType.instance)
            .addRegularColumn("silent_ms", DoubleType.instance)
            .addRegularColumn("candidate", LongType.instance)
            .addRegularColumn("first", LongType.instance)
            .build());
    this.views = views;
  }

  /**
   * Shows both tables.
   *
   * @param views how this node sees the others
   * @param counts what it has counted
   */
  public static void register(Supplier<List<ReplicaView>> views, RankingMXBean counts) {
    VirtualKeyspaceRegistry.instance.register(
        new VirtualKeyspace(KEYSPACE, List.of(new ReplicasTable(views), new CountsTable(counts))));
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    for (ReplicaView view : views.get()) {
      rows.row(view.getAddress());
      known(rows, "score", view.getScore());
      if (view.getOutstanding() >= 0) {
        rows.column("outstanding", view.getOutstanding());
      }
      known(rows, "queued", view.getQueued());
      known(rows, "service_ms", view.getServiceMs());
      known(rows, "waited_ms", view.getWaitedMs());
      known(rows, "messages_ms", view.getMessagesMs());
      known(rows, "trust", view.getTrust());
      known(rows, "silent_ms", view.getSilentMs());
      rows.column("candidate", view.getCandidate()).column("first", view.getFirst());
    }
    return rows;
  }

  private static void known(SimpleDataSet rows, String column, double value) {
    if (!Double.isNaN(value)) {
      rows.column(column, value);
    }
  }
}

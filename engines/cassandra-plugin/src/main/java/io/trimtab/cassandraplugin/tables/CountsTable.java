package io.trimtab.cassandraplugin.tables;

import io.trimtab.cassandraplugin.RankingMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;

/**
 * What this node has counted since it started, as a table: {@code SELECT * FROM
 * trimtab_views.counts}.
 */
final class CountsTable extends AbstractVirtualTable {
  private static final Map<String, ToLongFunction<RankingMXBean>> COUNTS = counts();

  private final RankingMXBean bean;

  CountsTable(RankingMXBean bean) {
    super(
        TableMetadata.builder(ReplicasTable.KEYSPACE, "counts")
            .kind(TableMetadata.Kind.VIRTUAL)
            .comment("reads that this node has ranked, and what became of the others")
            .partitioner(new LocalPartitioner(UTF8Type.instance))
            .addPartitionKeyColumn("name", UTF8Type.instance)
            .addRegularColumn("value", LongType.instance)
            .build());
    this.bean = bean;
  }

  private static Map<String, ToLongFunction<RankingMXBean>> counts() {
    Map<String, ToLongFunction<RankingMXBean>> counts = new TreeMap<>();
    counts.put("ranked", RankingMXBean::getRanked);
    counts.put("fallen_back", RankingMXBean::getFallenBack);
    counts.put("own_reads", RankingMXBean::getOwnReads);
    counts.put("asked_reads", RankingMXBean::getAskedReads);
    counts.put("inlined", RankingMXBean::getInlined);
    counts.put("hedge_stops", RankingMXBean::getHedgeStops);
    counts.put("failures", RankingMXBean::getFailures);
    return counts;
  }

  @Override
  public DataSet data() {
    SimpleDataSet rows = new SimpleDataSet(metadata());
    COUNTS.forEach((name, count) -> rows.row(name).column("value", count.applyAsLong(bean)));
    return rows;
  }
}

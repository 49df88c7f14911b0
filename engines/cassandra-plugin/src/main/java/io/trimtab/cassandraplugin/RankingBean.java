package io.trimtab.cassandraplugin;

import java.util.Map;
import org.apache.cassandra.utils.MBeanWrapper;

/** The ranking of this node over JMX. */
public final class RankingBean implements RankingMXBean {
  /** Its name. */
  public static final String NAME = "io.trimtab:type=ReplicaRanking";

  private final CoordinatorRanking ranking;
  private final InlineReads inline;

  private RankingBean(CoordinatorRanking ranking, InlineReads inline) {
    this.ranking = ranking;
    this.inline = inline;
  }

  static void register(CoordinatorRanking ranking, InlineReads inline) {
    MBeanWrapper.instance.registerMBean(new RankingBean(ranking, inline), NAME);
  }

  @Override
  public String getRanking() {
    return ranking.name();
  }

  @Override
  public void setRanking(String name) {
    ranking.choose(name);
  }

  @Override
  public String[] getRankings() {
    return CoordinatorRanking.names();
  }

  @Override
  public boolean isLocalFirst() {
    return ranking.localFirst();
  }

  @Override
  public void setLocalFirst(boolean first) {
    ranking.localFirst(first);
  }

  @Override
  public boolean isInlineReads() {
    return inline.isOn();
  }

  @Override
  public void setInlineReads(boolean on) {
    inline.on(on);
  }

  @Override
  public long getInlined() {
    return inline.done();
  }

  @Override
  public long getRanked() {
    return ranking.ranked();
  }

  @Override
  public long getFallenBack() {
    return ranking.fallenBack();
  }

  @Override
  public long getFailures() {
    return ranking.failures();
  }

  @Override
  public Map<String, Long> getChosen() {
    return ranking.chosen();
  }

  @Override
  public String getVersion() {
    String version = RankingBean.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}

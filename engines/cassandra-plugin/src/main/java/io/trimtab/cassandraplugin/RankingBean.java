package io.trimtab.cassandraplugin;

import java.util.Map;
import org.apache.cassandra.utils.MBeanWrapper;

/** The ranking of this node over JMX. */
public final class RankingBean implements RankingMXBean {
  /** Its name. */
  public static final String NAME = "io.trimtab:type=ReplicaRanking";

  private final CoordinatorRanking ranking;

  private RankingBean(CoordinatorRanking ranking) {
    this.ranking = ranking;
  }

  static void register(CoordinatorRanking ranking) {
    MBeanWrapper.instance.registerMBean(new RankingBean(ranking), NAME);
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
  public long getRanked() {
    return ranking.ranked();
  }

  @Override
  public long getFallenBack() {
    return ranking.fallenBack();
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

package io.trimtab.cassandraplugin;

import io.trimtab.plugincore.ranking.RackPenalty;
import java.util.List;
import java.util.function.IntSupplier;
import org.apache.cassandra.utils.MBeanWrapper;

/** The ranking of this node over JMX. */
public final class RankingBean implements RankingMXBean {
  /** Its name. */
  public static final String NAME = "io.trimtab:type=ReplicaRanking";

  private final CoordinatorRanking ranking;
  private final InlineReads inline;
  private final Hedges hedges;
  private final Components components;
  private final IntSupplier awaited;

  private RankingBean(
      CoordinatorRanking ranking,
      InlineReads inline,
      Hedges hedges,
      Components components,
      IntSupplier awaited) {
    this.ranking = ranking;
    this.inline = inline;
    this.hedges = hedges;
    this.components = components;
    this.awaited = awaited;
  }

  static RankingMXBean register(
      CoordinatorRanking ranking,
      InlineReads inline,
      Hedges hedges,
      Components components,
      IntSupplier awaited) {
    RankingBean bean = new RankingBean(ranking, inline, hedges, components, awaited);
    MBeanWrapper.instance.registerMBean(bean, NAME);
    return bean;
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
  public double getRackPenalty() {
    return ranking.rackPenalty();
  }

  @Override
  public void setRackPenalty(double factor) {
    ranking.penalize(new RackPenalty(factor));
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
  public long getOwnReads() {
    return ranking.ownReads();
  }

  @Override
  public long getAskedReads() {
    return ranking.askedReads();
  }

  @Override
  public long getFailures() {
    return ranking.failures();
  }

  @Override
  public List<ReplicaView> getReplicas() {
    return ranking.views();
  }

  @Override
  public double getHedgeShare() {
    return hedges.share();
  }

  @Override
  public void setHedgeShare(double share) {
    hedges.share(share);
  }

  @Override
  public String[] getHedgesStopped() {
    return hedges.stopped();
  }

  @Override
  public long getHedgeStops() {
    return hedges.stops();
  }

  @Override
  public int getAwaited() {
    return awaited.getAsInt();
  }

  @Override
  public boolean isRecording() {
    return components.isOn();
  }

  @Override
  public void setRecording(boolean on) {
    components.on(on);
  }

  @Override
  public long[][] components(String component) {
    return components.counted(component);
  }

  @Override
  public long[][] responseParts() {
    return components.responseParts();
  }

  @Override
  public String getVersion() {
    String version = RankingBean.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}

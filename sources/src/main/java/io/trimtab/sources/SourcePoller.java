package io.trimtab.sources;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.metrics.MetricSource;
import io.trimtab.engineapi.metrics.NodeReadings;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a source, not more often than it may be asked, and keeps what it told. Thread-safe. */
final class SourcePoller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SourcePoller.class);

  private final MetricSource source;
  private final long periodNs;
  private final ReadingHistory history;
  private final Clock clock;
  private OptionalLong askedNs = OptionalLong.empty();
  private Optional<String> failure = Optional.empty();

  /**
   * @param clock of this machine, by which a reading may not be of a time to come
   */
  SourcePoller(MetricSource source, MetricsConfig config, Clock clock) {
    this.source = source;
    this.periodNs = config.period().toNanos();
    this.history = new ReadingHistory(config.history());
    this.clock = clock;
  }

  String name() {
    return source.name();
  }

  /**
   * Asks if it is time.
   *
   * @param nowNs by a clock that does not jump
   */
  void ask(Collection<NodeId> nodes, long nowNs) {
    synchronized (this) {
      if (askedNs.isPresent() && nowNs - askedNs.getAsLong() < periodNs) {
        return;
      }
      askedNs = OptionalLong.of(nowNs);
    }
    try {
      Map<NodeId, NodeReadings> told = source.read(nodes);
      synchronized (this) {
        history.add(told, nodes, clock.instant());
      }
      ended(Optional.empty());
    } catch (IOException e) {
      ended(Optional.of(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.error("metric source {} has a defect", source.name(), e);
      ended(Optional.of("metric source " + source.name() + ": " + e));
    }
  }

  /** It did not answer within its limit. */
  void late() {
    ended(Optional.of("metric source " + source.name() + " has not answered in time"));
  }

  private synchronized void ended(Optional<String> how) {
    if (how.isPresent() && !how.equals(failure)) {
      LOG.warn("{}", how.get());
    } else if (how.isEmpty() && failure.isPresent()) {
      LOG.info("metric source {} answers again", source.name());
    }
    failure = how;
  }

  synchronized Told told() {
    return new Told(source.name(), history.means(), failure);
  }

  @Override
  public void close() {
    source.close();
  }
}

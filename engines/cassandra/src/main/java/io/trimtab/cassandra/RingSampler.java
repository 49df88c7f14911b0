package io.trimtab.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.RingRequests;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.openmbean.CompositeData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has every node watch which partition keys are requested ({@code nodetool profileload} does the
 * same), and tells their tokens. A node keeps a limited number of keys a table and counts a key
 * that it has no room for as one that it drops, so that the sum is right and the keys that are
 * named are, where all are alike, a sample of them.
 */
final class RingSampler {
  private static final Logger LOG = LoggerFactory.getLogger(RingSampler.class);

  /** Each key costs one request for its token; this number gives shares within 2 points. */
  private static final int KEYS = 1_024;

  private static final List<String> SAMPLERS = List.of("READS", "WRITES");
  private static final Duration ANSWER = Duration.ofSeconds(15);

  private final CqlSession session;
  private final JmxPool jmx;

  RingSampler(CqlSession session, JmxPool jmx) {
    this.session = session;
    this.jmx = jmx;
  }

  RingRequests sample(int tokensMax, Duration watch) throws EngineException {
    Optional<TokenMap> tokens = session.getMetadata().getTokenMap();
    List<Member> members = RingSnapshots.members(session);
    SortedMap<Long, NodeId> owners = new TreeMap<>();
    int most = 0;
    for (Member member : members) {
      Node node = session.getMetadata().getNodes().get(member.hostId());
      if (tokens.isEmpty() || node == null) {
        return RingRequests.unknown("the driver does not know the tokens of " + member.id());
      }
      Set<Token> own = tokens.get().getTokens(node);
      most = Math.max(most, own.size());
      for (Token token : own) {
        String text = tokens.get().format(token);
        if (!text.matches("-?\\d{1,19}")) {
          return RingRequests.unknown(
              "tokens of " + tokens.get().getPartitionerName() + " are not numbers");
        }
        owners.put(Long.valueOf(text), member.id());
      }
    }
    if (most > tokensMax) {
      return unsampled(owners, "with " + most + " tokens per node, requests are spread at random");
    }
    if (members.stream().map(Member::dataCentre).distinct().count() > 1) {
      // Where a token lies between those of all says nothing of the range that it halves.
      return unsampled(owners, "each of several data centres has ranges of its own");
    }
    Optional<Boolean> tells = tellsTokens(members);
    if (!tells.orElse(false)) {
      return unsampled(
          owners,
          tells.isPresent()
              ? "this Cassandra does not tell the tokens of keys"
              : "no node answers by JMX");
    }
    ConcurrentSkipListMap<Long, Long> counts = new ConcurrentSkipListMap<>();
    AtomicLong unread = new AtomicLong();
    ask(members, watch, counts, unread);
    long read = counts.values().stream().mapToLong(n -> n).sum();
    if (unread.get() > read / 10) {
      return unsampled(
          owners,
          "the tokens of " + unread + " of " + (read + unread.get()) + " requests are not known");
    }
    return new RingRequests(owners, counts, "");
  }

  /** Who has which token is known all the same. */
  private static RingRequests unsampled(SortedMap<Long, NodeId> owners, String gap) {
    return new RingRequests(owners, new TreeMap<>(), gap);
  }

  /**
   * By the first that answers: nothing is planned while they are of different releases. Empty if
   * none does.
   */
  private Optional<Boolean> tellsTokens(List<Member> members) {
    for (Member member : members) {
      try {
        return Optional.of(jmx.ask(member.id(), j -> new StorageService(j).tellsTokens()));
      } catch (IOException e) {
        LOG.debug("{} does not say whether it tells the tokens of keys", member.id(), e);
      }
    }
    return Optional.empty();
  }

  private void ask(List<Member> members, Duration watch, Map<Long, Long> counts, AtomicLong unread)
      throws EngineException {
    // All at the same time, or each would see another load.
    ExecutorService watchers = Executors.newFixedThreadPool(members.size());
    try {
      List<Callable<Void>> all = new ArrayList<>();
      for (Member member : members) {
        all.add(
            () -> {
              try (NodeJmx own = jmx.connect(member.id())) {
                watch(own, watch, counts, unread);
              }
              return null;
            });
      }
      for (Future<Void> each : watchers.invokeAll(all)) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new EngineException(
          "requests can't be sampled: " + CassandraErrors.line(e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted while requests were sampled", e);
    } finally {
      watchers.shutdownNow();
    }
  }

  private static void watch(NodeJmx node, Duration watch, Map<Long, Long> counts, AtomicLong unread)
      throws IOException {
    StorageService service = new StorageService(node);
    Map<String, List<CompositeData>> seen =
        service.sample(watch, KEYS, SAMPLERS, watch.plus(ANSWER));
    for (List<CompositeData> sampler : seen.values()) {
      for (CompositeData key : sampler) {
        String[] table = String.valueOf(key.get("table")).split("\\.", 2);
        if (table.length < 2 || !Keyspaces.isUsers(table[0])) {
          continue;
        }
        long count = ((Number) key.get("count")).longValue();
        Optional<Long> token = service.token(table[0], table[1], String.valueOf(key.get("value")));
        token.ifPresentOrElse(
            at -> counts.merge(at, count, Long::sum), () -> unread.addAndGet(count));
      }
    }
  }
}

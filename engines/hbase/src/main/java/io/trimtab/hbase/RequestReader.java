package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.hbase.PluginClient.OutdatedPluginException;
import io.trimtab.hbase.PluginClient.PluginAccessException;
import io.trimtab.hbase.tables.SplitRules;
import io.trimtab.hbasewire.HistogramList;
import io.trimtab.hbasewire.HistogramList.RegionHistogram;
import io.trimtab.hbasewire.SplitList;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks every server's plug-in what it knows of its regions' requests. Of a server that does not
 * answer nothing is known; the others' answers are worth no less. One that could not be read is not
 * asked: it would keep the others waiting for as long as a call may take. Which these are, and why,
 * is told by the snapshot before.
 */
final class RequestReader {
  private static final Logger LOG = LoggerFactory.getLogger(RequestReader.class);

  private final Cluster cluster;
  private final PluginClient plugin;
  private final Predicate<ServerName> silent;
  private final Supplier<ClusterFacts> facts;
  private final Set<String> refusals = ConcurrentHashMap.newKeySet();
  private Map<String, PartitionId> known = Map.of();

  /** Regions that servers told of and hbase:meta does not have. */
  private Set<String> strange = Set.of();

  /**
   * @param silent whether a server could not be read when it was looked at last
   * @param facts as they are known when requests are asked for
   */
  RequestReader(
      Cluster cluster,
      PluginClient plugin,
      Predicate<ServerName> silent,
      Supplier<ClusterFacts> facts) {
    this.cluster = cluster;
    this.plugin = plugin;
    this.silent = silent;
    this.facts = facts;
  }

  /** A question to one server. */
  @FunctionalInterface
  private interface PageRequest<A> {
    Optional<A> ask(ServerName server) throws IOException;
  }

  List<SplitHint> hints() throws EngineException {
    String what = "asking where requests halve";
    List<SplitList> lists = ask(what, plugin::splits);
    Map<String, PartitionId> names =
        names(
            what,
            lists.stream().flatMap(list -> list.regions().stream()).map(r -> r.region()).toList());
    List<SplitHint> hints = new ArrayList<>();
    for (SplitList list : lists) {
      for (SplitList.RegionSplit split : list.regions()) {
        if (names.containsKey(split.region())) {
          hints.add(hint(names.get(split.region()), split));
        }
      }
    }
    return hints.stream().anyMatch(hint -> hint.refusal().isEmpty()) ? allowed(what, hints) : hints;
  }

  /** Plug-ins know nothing of tables that must not be split; policies would propose it for ever. */
  private List<SplitHint> allowed(String what, List<SplitHint> hints) throws EngineException {
    Map<String, String> refusals = new HashMap<>();
    try {
      SplitRules rules = facts.get().splits();
      for (TableDescriptor table : cluster.admin().listTableDescriptors()) {
        String name = table.getTableName().getNameAsString();
        rules.refusal(table).ifPresent(why -> refusals.put(name, why));
      }
    } catch (IOException e) {
      throw HBaseErrors.failed(what, e);
    }
    return hints.stream()
        .map(hint -> refused(hint, Optional.ofNullable(refusals.get(hint.partition().table()))))
        .toList();
  }

  private static SplitHint refused(SplitHint hint, Optional<String> why) {
    return why.isEmpty() || hint.refusal().isPresent()
        ? hint
        : new SplitHint(
            hint.partition(),
            SplitHint.Verdict.NOT_WORTH_IT,
            hint.key(),
            hint.leftShare(),
            hint.bound(),
            hint.requests(),
            why.get());
  }

  /** A server's plug-in counts from the first question on, whatever becomes of the answer. */
  void startCounting() throws EngineException {
    ask("beginning to count how often blocks are asked for", plugin::histograms);
  }

  List<BlockHistogram> histograms() throws EngineException {
    return histograms(plugin::histograms);
  }

  List<BlockHistogram> exactHistograms() throws EngineException {
    return histograms(plugin::exactHistograms);
  }

  private List<BlockHistogram> histograms(PageRequest<HistogramList> question)
      throws EngineException {
    String what = "asking how often blocks are asked for";
    List<HistogramList> lists = ask(what, question);
    Map<String, PartitionId> names =
        names(
            what,
            lists.stream().flatMap(list -> list.regions().stream()).map(r -> r.region()).toList());
    List<BlockHistogram> histograms = new ArrayList<>();
    for (HistogramList list : lists) {
      for (RegionHistogram region : list.regions()) {
        PartitionId id = names.get(region.region());
        if (id != null && (region.size() > 0 || region.noFiles())) {
          histograms.add(histogram(id, region));
        } else if (id != null) {
          LOG.debug("{} has no histogram: {}", id, region.reason());
        }
      }
    }
    return histograms;
  }

  private <A> List<A> ask(String what, PageRequest<A> question) throws EngineException {
    List<A> answers = new ArrayList<>();
    try {
      for (ServerName server : cluster.admin().getRegionServers()) {
        if (silent.test(server)) {
          continue;
        }
        try {
          question.ask(server).ifPresent(answers::add);
        } catch (OutdatedPluginException | PluginAccessException e) {
          // At every step of the loop again, so not at every one in the log.
          if (refusals.add(server + what)) {
            LOG.warn("{}: {}", what, e.getMessage());
          }
        } catch (IOException e) {
          if (Interrupts.in(e)) {
            throw e;
          }
          LOG.warn("{}: {} does not answer", what, server, e);
        }
      }
      return answers;
    } catch (IOException e) {
      throw HBaseErrors.failed(what, e);
    }
  }

  /**
   * Partitions by the names of regions. hbase:meta is read, a scan for each table, only for regions
   * that are new.
   *
   * @param asked regions that servers told of
   */
  private synchronized Map<String, PartitionId> names(String what, List<String> asked)
      throws EngineException {
    if (!asked.stream().allMatch(name -> known.containsKey(name) || strange.contains(name))) {
      known = all(what);
      strange = asked.stream().filter(name -> !known.containsKey(name)).collect(Collectors.toSet());
    }
    return known;
  }

  private Map<String, PartitionId> all(String what) throws EngineException {
    try {
      Map<String, PartitionId> names = new HashMap<>();
      for (TableName table : cluster.admin().listTableNames()) {
        for (HRegionLocation location : cluster.locations(table)) {
          PartitionId id = Cluster.partition(location.getRegion());
          names.put(id.name(), id);
        }
      }
      return names;
    } catch (IOException e) {
      throw HBaseErrors.failed(what, e);
    }
  }

  private static SplitHint hint(PartitionId id, SplitList.RegionSplit split) {
    return new SplitHint(
        id,
        SplitHint.Verdict.of(split.verdict()),
        RowKey.of(split.key()),
        split.leftShare(),
        split.bound(),
        split.requests(),
        split.reason());
  }

  private static BlockHistogram histogram(PartitionId id, RegionHistogram region) {
    var bins = new ArrayList<BlockHistogram.Bin>();
    for (int i = 0; i < region.size(); i++) {
      bins.add(new BlockHistogram.Bin(region.count(i), region.blocks(i)));
    }
    return new BlockHistogram(
        id,
        bins,
        region.blockBytes(),
        region.scans(),
        region.scanCalls(),
        region.scanRows(),
        region.scanCells(),
        region.scanBlocks());
  }
}

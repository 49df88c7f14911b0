package io.trimtab.runtime;

import io.trimtab.config.UserError;
import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.LoadRecord;
import io.trimtab.controller.observe.ModelMismatch;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.ServedTimes;
import io.trimtab.controller.observe.Service;
import io.trimtab.controller.policy.Need;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.formats.ModelFile;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.service.AgreedClients;
import io.trimtab.runtime.service.ServiceWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects a policy's inputs other than snapshots; requests only those that it needs or uses. */
final class Inputs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Inputs.class);

  /** How much of what was recorded may be lost with a controller. */
  private static final Duration KEPT_EVERY = Duration.ofMinutes(5);

  private final Engine engine;
  private final Settings settings;
  private final Set<Need> needs;
  private final Optional<UsageModel> model;
  private final String modelId;
  private volatile ServiceWatch service;
  private LoadRecord record = LoadRecord.NOTHING;

  /** Where it is kept for the next controller; empty until it is known. */
  private Optional<ClusterState> keeper = Optional.empty();

  private Optional<Instant> keptAt = Optional.empty();

  /** Incarnations of the live nodes when counting was last started. */
  private SortedMap<NodeId, Long> counting = new TreeMap<>();

  /**
   * @throws io.trimtab.config.UserError where the settings name a model that can't be read
   */
  Inputs(Engine engine, Settings settings) {
    this.engine = engine;
    this.settings = settings;
    this.needs = settings.policy().inputs(settings);
    // Without one only policies that can do without get this far.
    if (needs.contains(Need.MODEL) && settings.usage().model() != null) {
      Path file = Path.of(settings.usage().model());
      this.model = Optional.of(ModelFile.read(file));
      this.modelId = ModelFile.id(file);
    } else {
      this.model = Optional.empty();
      this.modelId = "";
    }
  }

  /**
   * Starts accepting clients' reports, if they are needed.
   *
   * @throws io.trimtab.config.UserError if a file is invalid, or the address can't be listened on
   */
  Inputs open(Ports ports) {
    if (needs.contains(Need.SERVICE)) {
      int nodesMax = settings.guard().maxNodes();
      service = ServiceWatch.open(settings.slo(), nodesMax, ports.time(), ports.listeners());
    }
    return this;
  }

  /**
   * Goes on with what other controllers have recorded of the cluster, if it is newer than what this
   * one has.
   *
   * @return what is lost because it can't be read, a sentence without an end; empty if nothing is
   */
  Optional<String> recall(ClusterState state) {
    if (!needs.contains(Need.RECORD)) {
      return Optional.empty();
    }
    keeper = Optional.of(state);
    Instant own = record.at().orElse(Instant.MIN);
    // The last snapshot of before is no beginning: nodes' usage counts from a new one.
    record = record.resumed();
    try {
      LoadRecord others = state.loadRecord();
      record = others.at().filter(own::isBefore).isPresent() ? others : record;
      return Optional.empty();
    } catch (UserError e) {
      LOG.warn("what was recorded of the cluster's load is lost: {}", e.getMessage());
      return Optional.of(
          "what was recorded of the cluster's load can't be read, so that costs and what is"
              + " foreseen begin anew: "
              + e.getMessage());
    }
  }

  /** Nodes that did work beside serving when an earlier controller looked last. */
  BusyNodes busyBefore() {
    return record.busy();
  }

  private void keep(Instant now) {
    if (keptAt.isEmpty() || now.isBefore(keptAt.get())) {
      keptAt = Optional.of(now);
    }
    if (!now.isBefore(keptAt.get().plus(KEPT_EVERY))) {
      keptAt = Optional.of(now);
      keep();
    }
  }

  /** Keeps all that was recorded, at once: a controller that ends in order loses nothing of it. */
  void keep() {
    if (keeper.isPresent()) {
      try {
        keeper.get().keep(record);
      } catch (UserError e) {
        LOG.warn("what was recorded of the cluster's load is not kept: {}", e.getMessage());
      }
    }
  }

  /** Port for clients' reports; −1 if there are none. */
  int reportPort() {
    ServiceWatch watch = service;
    return watch == null ? -1 : watch.port();
  }

  /** Why there may be too few nodes for an agreement; a sentence without an end. */
  Optional<String> tooFewNodes() {
    return Optional.ofNullable(service).flatMap(ServiceWatch::tooFew);
  }

  /** Mean response time that clients report now; NaN if there are no reports. */
  double clientsMs() {
    ServiceWatch watch = service;
    return watch == null ? Double.NaN : watch.responseTimeMs();
  }

  /** The agreements' clients; none if no agreement is kept. */
  List<AgreedClients.Seen> clientsNow() {
    ServiceWatch watch = service;
    return watch == null ? List.of() : watch.clientsNow();
  }

  /** The agreements and how they were kept lately; none if no agreement is kept. */
  List<Service> services() {
    ServiceWatch watch = service;
    return watch == null ? List.of() : watch.services();
  }

  /** How requests were served in the samples before a plan, at worst. */
  ServedTimes worst(History history) {
    ServiceWatch watch = service;
    ServedTimes nodes = ServedTimes.worst(history.served());
    if (watch == null) {
      return nodes;
    }
    List<ServedTimes> reported =
        watch.services().stream()
            .flatMap(agreement -> agreement.checks().stream())
            .map(check -> ServedTimes.UNKNOWN.withClients(check.responseTimeMs()))
            .toList();
    return nodes.withClients(ServedTimes.worst(reported).clientsMs());
  }

  /** Identifies the model; empty if there is none. */
  String modelId() {
    return modelId;
  }

  /**
   * How the model's nodes differ from those of a snapshot, one clause. Caches are not compared:
   * policies give them sizes, and one that does not compares them itself.
   */
  Optional<String> otherModel(ClusterSnapshot seen) {
    return model.flatMap(of -> ModelMismatch.besidesCache(settings.usage().model(), of, seen));
  }

  /**
   * Processes a snapshot: starts counting on new nodes, and learns.
   *
   * @param unexplained nodes of whose usage nothing is learned
   */
  void observe(ClusterSnapshot seen, Set<NodeId> unexplained) throws EngineException {
    if (needs.contains(Need.RECORD)) {
      record = record.with(seen, unexplained);
    }
    if (needs.contains(Need.HISTOGRAMS)) {
      SortedMap<NodeId, Long> live = new TreeMap<>();
      seen.liveNodes().forEach(n -> live.put(n.id(), n.incarnation()));
      if (!live.equals(counting)) {
        engine.startCounting();
        counting = live;
      }
    }
    if (service != null) {
      service.check(seen);
    }
  }

  /** The cluster was changed: discards inputs from before. */
  void reset() {
    if (service != null) {
      service.reset();
    }
  }

  /**
   * The observation with all inputs that are needed and available; a policy reports missing ones.
   */
  Observation.Usable gather(Observation.Usable seen) {
    Observation.Usable known = seen;
    if (needs.contains(Need.HINTS) && settings.split().enabled()) {
      known = known.with(hints());
    }
    if (needs.contains(Need.HISTOGRAMS)) {
      known = known.withBlocks(histograms());
    }
    if (model.isPresent()) {
      known = known.with(known.blocks(), model.get());
    }
    if (needs.contains(Need.RECORD)) {
      record = record.with(known);
      keep(known.snapshot().takenAt());
      known = known.with(record.costs()).with(record.ahead());
    }
    return service == null ? known : known.withServices(service.services());
  }

  private List<BlockHistogram> histograms() {
    try {
      return engine.histograms();
    } catch (EngineException e) {
      LOG.warn("it is not known how often blocks are asked for", e);
      return List.of();
    }
  }

  /** Without hints nothing is split, but other decisions are still possible. */
  private List<SplitHint> hints() {
    try {
      return engine.splitHints();
    } catch (EngineException e) {
      LOG.warn("no hints where to split", e);
      return List.of();
    }
  }

  @Override
  public void close() {
    ServiceWatch watch = service;
    service = null;
    if (watch != null) {
      watch.close();
    }
  }
}

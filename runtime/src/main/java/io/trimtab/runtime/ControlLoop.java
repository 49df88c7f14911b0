package io.trimtab.runtime;

import io.trimtab.controller.Decision;
import io.trimtab.controller.Guard;
import io.trimtab.controller.History;
import io.trimtab.controller.LeadTime;
import io.trimtab.controller.NewTokens;
import io.trimtab.controller.Observation;
import io.trimtab.controller.Policy;
import io.trimtab.controller.PolicyState;
import io.trimtab.controller.Replacement;
import io.trimtab.controller.Settings;
import io.trimtab.controller.Upkeep;
import io.trimtab.controller.Warmth;
import io.trimtab.engineapi.ClusterSnapshot;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeState;
import io.trimtab.engineapi.Plan;
import io.trimtab.engineapi.RingRequests;
import io.trimtab.engineapi.SplitHint;
import io.trimtab.formats.ModelFile;
import io.trimtab.engineapi.UsageReadings;
import io.trimtab.models.UsageModel;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sample, decide, guard, execute. Dry unless told to act. Stops at the kill switch, when its thread
 * is interrupted, when it loses the control lock, and after {@code plansMax} plans.
 */
public final class ControlLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);
  private static final Duration POLL = Duration.ofMillis(200);

  private static final Duration RING_WATCH = Duration.ofSeconds(10);

  /** A plan left by a killed controller is resumed only while it is younger than this. */
  static final Duration RESUME_AGE_MAX = Duration.ofMinutes(30);

  private final Engine engine;
  private final Optional<NodeProvider> provider;
  private final Settings settings;
  private final LoopListener listener;
  private final Clock clock;
  private final FaultPoints faults;
  private final Optional<UsageModel> model;
  private final String modelId;
  private volatile ServiceWatch service;
  private final Map<NodeId, Instant> deadSince = new HashMap<>();
  private volatile boolean stopAsked;
  private volatile boolean stopSeen;

  /**
   * @throws io.trimtab.config.UserError where the settings name a model that can't be read
   */
  public ControlLoop(
      Engine engine,
      Optional<NodeProvider> provider,
      Settings settings,
      LoopListener listener,
      Clock clock,
      FaultPoints faults) {
    this.engine = engine;
    this.provider = provider;
    this.settings = settings;
    this.listener = listener;
    this.clock = clock;
    this.faults = faults;
    this.model =
        settings.policy() == Settings.PolicyName.USAGE
            ? Optional.of(ModelFile.read(Path.of(settings.usage().model())))
            : Optional.empty();
    this.modelId = model.isPresent() ? ModelFile.id(Path.of(settings.usage().model())) : "";
  }

  /** Asks the loop to end, from another thread. */
  public void stop() {
    stopAsked = true;
  }

  /** Whether it has ended because it was asked to, and not because the cluster was lost. */
  public boolean endedOnRequest() {
    return stopSeen;
  }

  /**
   * Runs.
   *
   * @param act whether plans are carried out; false is a dry run
   * @param plansMax plans (proposed ones, when dry) after which it ends; 0 = never
   * @param abandon whether a plan that was left by a killed controller is given up, not resumed
   * @return how the last plan ended; empty where there was none
   */
  public Optional<Executor.Outcome> run(boolean act, int plansMax, boolean abandon)
      throws EngineException {
    if (settings.policy() != Settings.PolicyName.SLO) {
      return watched(act, plansMax, abandon);
    }
    try (ServiceWatch watch = ServiceWatch.open(settings.slo(), clock)) {
      service = watch;
      return watched(act, plansMax, abandon);
    } finally {
      service = null;
    }
  }

  /** Where clients report to, while the loop runs with an agreement; −1 otherwise. */
  public int reportPort() {
    ServiceWatch watch = service;
    return watch == null ? -1 : watch.port();
  }

  private Optional<Executor.Outcome> watched(boolean act, int plansMax, boolean abandon)
      throws EngineException {
    String owner = "trimtab:" + ProcessHandle.current().pid();
    ClusterSnapshot first = engine.snapshot();
    StateDir state = StateDir.of(first.clusterId());
    if (model.isPresent()) {
      // The first question begins the counting.
      engine.histograms();
    }
    if (!act) {
      try (Journal journal = Journal.dry(state.folder())) {
        return loop(false, plansMax, journal, state, Optional.empty());
      }
    }
    try (ControlLock lock = engine.takeControl(owner);
        Journal journal = Journal.open(state.folder())) {
      state.register();
      try {
        recover(journal, state, lock, abandon);
        return loop(true, plansMax, journal, state, Optional.of(lock));
      } finally {
        state.unregister();
      }
    }
  }

  private Executor executor(Journal journal, StateDir state, ControlLock lock) {
    return new Executor(
        engine,
        provider,
        journal,
        settings.guard(),
        clock,
        () -> stopping(state) || !lock.held(),
        listener,
        faults);
  }

  private boolean stopping(StateDir state) {
    boolean asked = stopAsked || state.stopAsked() || Thread.currentThread().isInterrupted();
    if (asked) {
      stopSeen = true;
    }
    return asked;
  }

  private void recover(Journal journal, StateDir state, ControlLock lock, boolean abandon) {
    Optional<Journal.Unfinished> left = journal.unfinished();
    if (left.isEmpty()) {
      return;
    }
    Executor executor = executor(journal, state, lock);
    Duration age = Duration.between(left.get().startedAt(), clock.instant());
    if (abandon) {
      executor.abandon(left.get(), "--abandon was given");
    } else if (age.compareTo(RESUME_AGE_MAX) > 0) {
      executor.abandon(left.get(), "it was begun " + age.toMinutes() + " minutes ago");
    } else {
      listener.planned(left.get().plan(), true);
      executor.resume(left.get());
    }
  }

  private Optional<Executor.Outcome> loop(
      boolean act, int plansMax, Journal journal, StateDir state, Optional<ControlLock> lock) {
    Policy policy = Policy.of(settings.policy());
    PolicyState remembered = journal.policyState();
    History history = History.EMPTY;
    UsageReadings readings = new UsageReadings();
    Optional<Executor.Outcome> last = Optional.empty();
    int plans = 0;
    while (!stopping(state) && lock.map(ControlLock::held).orElse(true)) {
      Instant begun = clock.instant();
      try {
        ClusterSnapshot seen = engine.snapshot(readings);
        history = history.append(seen, settings.observe());
        bury(seen);
        if (service != null) {
          service.check(seen);
        }
      } catch (EngineException e) {
        LOG.warn("no snapshot", e);
        hold(journal, "observe", e.getMessage(), "");
      }
      listener.sampled(history.samples(), settings.observe().samples());
      if (history.samples() >= settings.observe().samples()) {
        Optional<Decision.Act> wanted = decide(policy, history, remembered, journal, act);
        if (wanted.isPresent() && act && doubtful(journal)) {
          wanted = Optional.empty();
        }
        if (wanted.isPresent()) {
          Plan plan = wanted.get().plan();
          listener.planned(plan, act);
          if (act) {
            last =
                Optional.of(
                    executor(journal, state, lock.orElseThrow())
                        .begin(plan, history.last().orElseThrow().balancer(), wanted.get().next()));
            remembered = journal.policyState();
            predict(journal, wanted.get(), last.get());
          } else {
            journal.append(new Entry.Proposed(clock.instant(), plan));
          }
          history = History.EMPTY;
          if (service != null) {
            service.reset();
          }
          plans++;
          if (plansMax > 0 && plans >= plansMax) {
            return last;
          }
        }
      }
      sleepUntil(begun.plus(settings.observe().period()), state);
    }
    return last;
  }

  private Optional<Decision.Act> decide(
      Policy policy, History history, PolicyState remembered, Journal journal, boolean act) {
    Instant now = clock.instant();
    Observation seen = Observation.of(history, now, settings.observe());
    if (seen instanceof Observation.Unusable bad) {
      hold(journal, "observe", bad.reason(), bad.setting());
      return Optional.empty();
    }
    Observation.Usable usable = known(((Observation.Usable) seen).with(hints()));
    if (service != null) {
      usable = usable.with(service.service());
    }
    if (act) {
      measure(journal, usable);
      warmed(journal, history, now);
    }
    Optional<Decision> first = Replacement.decide(usable, dead(now), remembered, settings);
    Decision decision =
        first.isPresent() ? first.get() : policy.decide(usable, remembered, settings);
    if (first.isEmpty() && decision instanceof Decision.Hold) {
      decision = Upkeep.decide(usable, remembered, settings).orElse(decision);
    }
    if (decision instanceof Decision.Hold hold) {
      String by = first.isPresent() ? "dead node" : "policy " + policy.name();
      hold(journal, by, hold.reason(), hold.setting());
      return Optional.empty();
    }
    Decision.Act wanted = (Decision.Act) decision;
    Guard.Verdict verdict =
        Guard.check(
            wanted.plan(), usable.snapshot(), journal.lastPlanEnded(), spare(), settings, now);
    if (verdict instanceof Guard.Verdict.Refuse refuse) {
      hold(journal, "guard", refuse.reason(), refuse.setting());
      return Optional.empty();
    }
    Plan plan = wanted.plan();
    if (NewTokens.asked(plan, usable.snapshot(), settings)) {
      plan = NewTokens.choose(plan, ring());
    }
    Optional<LeadTime> last = LeadTimes.last(journal.entries());
    if (last.isPresent()) {
      plan = last.get().told(plan);
    }
    return Optional.of(new Decision.Act(plan, wanted.next(), wanted.predicted()));
  }

  /** Only asked where a node is about to join: the nodes have work with it. */
  private RingRequests ring() {
    try {
      return engine.ringRequests(NewTokens.TOKENS_MAX, RING_WATCH);
    } catch (EngineException e) {
      LOG.warn("it is not known which tokens are asked for", e);
      return RingRequests.unknown(e.getMessage());
    }
  }

  /** Keeps in mind since when which nodes have been dead; a controller's start begins anew. */
  private void bury(ClusterSnapshot seen) {
    Set<NodeId> dead =
        seen.nodes().stream()
            .filter(n -> !n.alive())
            .map(NodeState::id)
            .collect(Collectors.toSet());
    deadSince.keySet().retainAll(dead);
    dead.forEach(node -> deadSince.putIfAbsent(node, clock.instant()));
  }

  private Map<NodeId, Duration> dead(Instant now) {
    return deadSince.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> Duration.between(e.getValue(), now)));
  }

  /** Notes what the model says of the cluster as the plan has left it. */
  private void predict(Journal journal, Decision.Act wanted, Executor.Outcome outcome) {
    if (outcome.done() && wanted.predicted().isPresent()) {
      List<String> kinds =
          wanted.plan().actions().stream().map(a -> a.action().kind()).distinct().toList();
      journal.append(
          new Entry.Predicted(
              clock.instant(),
              wanted.plan().id(),
              modelId,
              kinds,
              wanted.predicted().getAsDouble()));
    }
  }

  /** Caches are cold after a node was added; how long it took is told with the next one. */
  private static void warmed(Journal journal, History history, Instant now) {
    Optional<String> cold = LeadTimes.cold(journal.entries());
    if (cold.isPresent() && Warmth.full(history)) {
      journal.append(new Entry.Warmed(now, cold.get()));
    }
  }

  /** The first look that is good enough for a decision tells what came of the last prediction. */
  private void measure(Journal journal, Observation.Usable seen) {
    List<Ledger.Line> lines = Ledger.of(journal.entries());
    if (!lines.isEmpty() && !lines.get(lines.size() - 1).known()) {
      double most = seen.usage().values().stream().mapToDouble(u -> u).max().orElse(Double.NaN);
      journal.append(
          new Entry.Measured(clock.instant(), lines.get(lines.size() - 1).planId(), most));
    }
  }

  /** A model that has been wrong is not acted on; its plans can still be looked at. */
  private boolean doubtful(Journal journal) {
    OptionalDouble error = Ledger.recentError(Ledger.of(journal.entries()), modelId);
    if (error.isEmpty() || error.getAsDouble() <= settings.usage().errorMax()) {
      return false;
    }
    hold(
        journal,
        "ledger",
        String.format(
            Locale.ROOT,
            "the model's last predictions were %.2f off on average, so its plans are advice only"
                + " until it is built anew; see trimtab ledger",
            error.getAsDouble()),
        "usage.errorMax");
    return true;
  }

  /** With what the usage policy needs to know; it says itself what is missing. */
  private Observation.Usable known(Observation.Usable seen) {
    if (model.isEmpty()) {
      return seen;
    }
    try {
      return seen.with(engine.histograms(), model.get());
    } catch (EngineException e) {
      LOG.warn("it is not known how often blocks are asked for", e);
      return seen.with(List.of(), model.get());
    }
  }

  /** Without hints nothing is split; that is no reason to do nothing at all. */
  private List<SplitHint> hints() {
    if (!settings.split().enabled()) {
      return List.of();
    }
    try {
      return engine.splitHints();
    } catch (EngineException e) {
      LOG.warn("no hints where to split", e);
      return List.of();
    }
  }

  private OptionalInt spare() {
    return provider.isPresent() ? OptionalInt.of(provider.get().spare()) : OptionalInt.empty();
  }

  private void hold(Journal journal, String by, String reason, String setting) {
    journal.hold(new Entry.Held(clock.instant(), by, reason, setting));
    listener.held(by, reason, setting);
  }

  private void sleepUntil(Instant due, StateDir state) {
    while (!stopping(state)) {
      Duration left = Duration.between(clock.instant(), due);
      if (left.isNegative() || left.isZero()) {
        return;
      }
      try {
        Thread.sleep(Math.min(left.toMillis() + 1, POLL.toMillis()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}

package io.trimtab.runtime;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.FileJournalStore;
import io.trimtab.runtime.ports.JournalStore;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.VirtualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A loop on a cluster in memory, in simulated time, and what it said. */
@Timeout(60)
abstract class LoopFixture {
  static final Settings SETTINGS =
      Settings.defaults()
          .with(Policies.MET_1)
          .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(3).build())
          .with(limits());

  @TempDir Path home;

  final VirtualClock clock = new VirtualClock(FakeEngine.NOW);
  final Ports ports = SimulatedTime.ports(clock, Workers.IN_TURN);
  final FakeEngine engine = new FakeEngine(3, 9, clock);
  final Heard heard = new Heard();

  private static GuardSettings limits() {
    return GuardSettings.builder().maxNodes(3).build();
  }

  /** What the loop said; ends the loop when it is told to. */
  final class Heard implements LoopListener {
    final List<String> held = Collections.synchronizedList(new ArrayList<>());
    final List<Plan> plans = Collections.synchronizedList(new ArrayList<>());
    final List<String> otherModels = Collections.synchronizedList(new ArrayList<>());
    final List<String> agreements = Collections.synchronizedList(new ArrayList<>());
    final List<String> ended = Collections.synchronizedList(new ArrayList<>());
    final List<String> discarded = Collections.synchronizedList(new ArrayList<>());
    int endAfterHolds = Integer.MAX_VALUE;
    boolean endAfterPlan;
    ControlLoop loop;

    @Override
    public void held(String by, String reason, String setting) {
      held.add(by + ": " + reason + " [" + setting + "]");
      if (held.size() >= endAfterHolds) {
        loop.stop();
      }
    }

    @Override
    public void otherModel(String what) {
      otherModels.add(what);
    }

    @Override
    public void agreement(String what) {
      agreements.add(what);
    }

    @Override
    public void discarded(String what) {
      discarded.add(what);
    }

    @Override
    public void planned(Plan plan, boolean act) {
      plans.add(plan);
    }

    @Override
    public void planEnded(Plan plan, PlanOutcome outcome, String why) {
      ended.add(outcome + ": " + why);
      if (endAfterPlan) {
        loop.stop();
      }
    }
  }

  @BeforeEach
  void home() {
    System.setProperty("trimtab.home", home.toString());
  }

  @AfterEach
  void noHome() {
    System.clearProperty("trimtab.home");
  }

  /** The journal of a version that kept nothing with the cluster. */
  static JournalStore olderVersions() {
    return FileJournalStore.open(StateDir.of("fake").folder().resolve("journal.jsonl"));
  }

  ControlLoop loop() {
    return loop(SETTINGS);
  }

  ControlLoop loop(Settings settings) {
    heard.loop =
        new ControlLoop(engine, Optional.empty(), settings, heard, ports, FaultPoints.NONE);
    return heard.loop;
  }

  List<Entry> journal() {
    return StateDir.of("fake").journals().all();
  }
}

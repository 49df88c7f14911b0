package io.trimtab.experiments;

import io.trimtab.experiments.cost.E13;
import io.trimtab.experiments.cost.E14;
import io.trimtab.experiments.cost.Observed;
import io.trimtab.experiments.cost.ObserverCost;
import io.trimtab.experiments.cost.ProfileChange;
import io.trimtab.experiments.latency.Burn;
import io.trimtab.experiments.latency.LatencyParts;
import io.trimtab.experiments.latency.RankingExperiment;
import io.trimtab.experiments.latency.cost.PluginCost;
import io.trimtab.experiments.latency.simulated.Replicas;
import io.trimtab.experiments.model.E10;
import io.trimtab.experiments.model.E5;
import io.trimtab.experiments.model.E7;
import io.trimtab.experiments.model.E8;
import io.trimtab.experiments.model.E8Ring;
import io.trimtab.experiments.model.UsageRuns;
import io.trimtab.experiments.placement.E1;
import io.trimtab.experiments.placement.E11;
import io.trimtab.experiments.placement.E2;
import io.trimtab.experiments.placement.E6;
import io.trimtab.experiments.placement.E6Parts;
import io.trimtab.experiments.placement.SixTenants;
import io.trimtab.experiments.policies.PolicyDays;
import io.trimtab.experiments.rivals.ModelRivals;
import io.trimtab.experiments.rivals.Rivals;
import io.trimtab.formats.ModelFile;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.models.usage.UsageModel;
import java.nio.file.Path;
import java.util.Optional;

/** The experiments by name, as {@code trimtab lab run} knows them. */
public final class Experiments {
  /** What {@code trimtab lab run} can run. */
  public enum Name {
    E1,
    E2,
    E5,
    E6,
    E6PARTS,
    E7,
    E8,
    E8RING,
    E10,
    E11,
    E12,
    E13,
    E14,
    PROFILE,
    OBSERVER,
    OBSERVED,
    LATENCY,
    COST,
    BURN,
    REPLICAS,
    POLICIES,
    OWN,
    RIVALS,
    RIVALSIM
  }

  private Experiments() {}

  /**
   * Runs one, on a lab of its own that goes down afterwards.
   *
   * @return the report
   */
  public static Path run(Name name, Order order, Console console) throws Exception {
    Path folder = order.folder();
    int runs = order.runs();
    long seed = order.seed();
    String lab = order.labName();
    return switch (name) {
      case E5 -> new E5(console, folder, runs, seed).run();
      case REPLICAS -> new Replicas(console, folder, runs, seed).run();
      case POLICIES -> new PolicyDays(console, order).run();
      case E12 -> RankingExperiment.e12(console, folder, runs, lab, order.start()).run();
      case OWN -> RankingExperiment.own(console, folder, runs, lab, order.start()).run();
      case LATENCY -> new LatencyParts(console, folder, runs, lab, order.start()).run();
      case RIVALS -> new Rivals(console, order).run();
      case RIVALSIM -> new ModelRivals(console, order).run();
      case BURN -> new Burn(console, folder, runs, seed, lab).run();
      case COST -> new PluginCost(console, folder, runs, seed, lab).run();
      case E13 -> new E13(console, folder, runs, lab).run();
      case E14 -> new E14(console, folder, lab).run();
      case OBSERVED -> new Observed(console, folder, runs, seed, lab).run();
      case E8RING -> new E8Ring(console, UsageRuns.open(name.toString(), order)).run();
      case E6PARTS -> new E6Parts(console, order).run();
      case E8 -> e8(order, console);
      case E1, E2, E6, E7, E10, E11, PROFILE, OBSERVER -> onTestbed(name, order, console);
    };
  }

  private static Path e8(Order order, Console console) throws Exception {
    // Known to be missing or bad before a cluster is started for it.
    UsageRuns made = UsageRuns.open(Name.E8.toString(), order);
    Optional<UsageModel> known = made.model();
    TestbedSettings nodes = TestbedSettings.modelled();
    try (HBaseTestbed bed = HBaseTestbed.open(nodes, E8.spec(nodes), order.labName(), console)) {
      var trial =
          new Experiment.Trial(bed, console, order.folder(), order.runs(), order.seed(), known);
      return new E8(trial, made).run();
    }
  }

  private static Path onTestbed(Name name, Order order, Console console) throws Exception {
    Path folder = order.folder();
    Optional<Path> model = order.model();
    // Known to be missing or bad before a cluster is started for it.
    Optional<UsageModel> known =
        (name == Name.E11 ? model.or(() -> Optional.of(E11.modelFile(folder))) : model)
            .map(ModelFile::read);
    try (HBaseTestbed bed = open(name, order.labName(), console)) {
      var trial = new Experiment.Trial(bed, console, folder, order.runs(), order.seed(), known);
      Experiment experiment =
          switch (name) {
            case E1 -> new E1(trial);
            case E2 -> new E2(trial);
            case PROFILE -> new ProfileChange(trial);
            case E10 -> new E10(trial);
            case E11 -> new E11(trial);
            case OBSERVER -> new ObserverCost(trial);
            case E6 -> new E6(trial);
            case E7 -> new E7(trial);
            case E5,
                E6PARTS,
                E8,
                E8RING,
                E12,
                E13,
                E14,
                OBSERVED,
                LATENCY,
                COST,
                BURN,
                REPLICAS,
                POLICIES,
                OWN,
                RIVALS,
                RIVALSIM ->
                throw new IllegalStateException("needs no testbed");
          };
      return experiment.run();
    }
  }

  private static HBaseTestbed open(Name name, String labName, Console console) throws Exception {
    return switch (name) {
      case E6 ->
          HBaseTestbed.open(
              TestbedSettings.pair(), E6.spec(TestbedSettings.pair()), labName, console);
      case E7 ->
          HBaseTestbed.open(
              TestbedSettings.modelled(), E7.spec(TestbedSettings.modelled()), labName, console);
      case E10 ->
          HBaseTestbed.open(TestbedSettings.single(), E10.spec(), E10.site(), labName, console);
      case E11 ->
          HBaseTestbed.open(
              TestbedSettings.four(), E11.spec(TestbedSettings.four()), labName, console);
      case OBSERVER ->
          HBaseTestbed.open(
              TestbedSettings.single(), ObserverCost.spec(), ObserverCost.site(), labName, console);
      default -> {
        TestbedSettings standard = TestbedSettings.standard();
        yield HBaseTestbed.open(standard, SixTenants.spec(standard), labName, console);
      }
    };
  }
}

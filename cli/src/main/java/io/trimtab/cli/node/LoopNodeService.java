package io.trimtab.cli.node;

import io.trimtab.cli.control.Narrator;
import io.trimtab.cli.usage.LoadSample;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.NodeService;
import io.trimtab.clikit.Signals;
import io.trimtab.clikit.Terminal;
import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.maintenance.TakenOut;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.formats.SettingsFile;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.emptied.OutOfService;
import io.trimtab.runtime.journal.PlanText;
import io.trimtab.runtime.ports.SystemPorts;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** Takes nodes out of service as the cluster's only controller, as the control loop acts. */
public final class LoopNodeService implements NodeService {

  @Override
  public void show(Terminal terminal, Order order) throws EngineException, InterruptedException {
    Settings settings = settings(order);
    try (Engine engine = order.cluster().connect()) {
      refuseOpen(engine);
      Observation.Usable seen = look(terminal, engine, order);
      TakenOut.Answer.Moves moves = moves(seen, order, settings);
      if (!moves.plan().actions().isEmpty()) {
        terminal.line(PlanText.table(moves.plan()));
        terminal.line("");
      }
      tell(terminal, order, moves);
      Guard.Verdict verdict =
          Guard.checkOrdered(
              moves.plan(),
              seen.snapshot(),
              Optional.empty(),
              Optional.empty(),
              settings,
              SystemPorts.ports().clock().instant());
      if (verdict instanceof Guard.Verdict.Refuse refuse) {
        throw refused(refuse.reason(), refuse.setting());
      }
    }
  }

  @Override
  public boolean during(Terminal terminal, Order order, Tables tables, Work work)
      throws EngineException, InterruptedException {
    Settings settings = settings(order);
    AtomicBoolean stop = new AtomicBoolean();
    try (Engine engine = order.cluster().connect()) {
      if (ControlDocuments.emptied(engine.shared()).isPresent()
          && !putBack(terminal, engine, order.command(), tables)) {
        return false;
      }
      TakenOut.Answer.Moves moves = moves(look(terminal, engine, order), order, settings);
      tell(terminal, order, moves);
      try (Signals signals = Signals.stop(() -> stop.set(true))) {
        Executor.Outcome outcome =
            OutOfService.during(
                context(terminal, engine, settings),
                new OutOfService.Order(order.command(), order.node(), moves.plan(), order.tables()),
                stop::get,
                tables::drop,
                work::on);
        terminal.statusDone();
        terminal.line("%s: %s", outcome.how(), outcome.why());
        return outcome.done();
      }
    }
  }

  @Override
  public boolean putBack(Terminal terminal, String command, ClusterChoice cluster, Tables tables)
      throws EngineException {
    try (Engine engine = cluster.connect()) {
      return putBack(terminal, engine, command, tables);
    }
  }

  private static boolean putBack(Terminal terminal, Engine engine, String command, Tables tables)
      throws EngineException {
    Optional<Executor.Outcome> outcome =
        OutOfService.putBack(context(terminal, engine, Settings.defaults()), command, tables::drop);
    terminal.line(
        outcome
            .map(how -> how.how() + ": " + how.why())
            .orElse("nothing to put back: no node was taken out of service"));
    return outcome.map(Executor.Outcome::done).orElse(true);
  }

  private static LoopContext context(Terminal terminal, Engine engine, Settings settings) {
    return new LoopContext(
        engine,
        Optional.empty(),
        settings,
        new Narrator(terminal, ""),
        SystemPorts.ports(),
        FaultPoints.NONE);
  }

  private static Settings settings(Order order) {
    return order.config().map(SettingsFile::read).orElseGet(Settings::defaults);
  }

  private static void refuseOpen(Engine engine) throws EngineException {
    if (ControlDocuments.read(engine.shared()).open().isPresent()) {
      throw new EngineException(
          "a plan is open or was left unfinished: no node is taken out of service; see: trimtab"
              + " status");
    }
  }

  private static Observation.Usable look(Terminal terminal, Engine engine, Order order)
      throws EngineException, InterruptedException {
    return LoadSample.of(order.watch()).take(terminal, engine, order.cluster().label());
  }

  private static TakenOut.Answer.Moves moves(
      Observation.Usable seen, Order order, Settings settings) throws EngineException {
    TakenOut.Answer answer = TakenOut.away(seen, order.node(), order.tablesBytes(), settings);
    if (answer instanceof TakenOut.Answer.Refused refused) {
      throw refused(refused.reason(), refused.setting());
    }
    return (TakenOut.Answer.Moves) answer;
  }

  private static EngineException refused(String reason, String setting) {
    return new EngineException(setting.isEmpty() ? reason : reason + "; the setting: " + setting);
  }

  /** What the plan comes to; its actions are told when it is shown, or begun. */
  private static void tell(Terminal terminal, Order order, TakenOut.Answer.Moves moves) {
    terminal.line(
        "node %s: %s moved off it, and back afterwards",
        order.node(), Counted.are(moves.plan().actions().size(), "partition"));
    terminal.line(
        "the others meanwhile: %s",
        moves.usage().entrySet().stream()
            .map(node -> "%s %.0f %%".formatted(node.getKey(), 100 * node.getValue()))
            .collect(Collectors.joining(", ")));
  }
}

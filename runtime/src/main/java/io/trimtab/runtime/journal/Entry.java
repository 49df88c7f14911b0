package io.trimtab.runtime.journal;

import io.trimtab.controller.agreement.Compliance.Verdict;
import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** One line of the journal. */
public sealed interface Entry {
  /** Gives the reason where something could not be put back after a plan. */
  String CLEAN_UP = "clean-up";

  Instant at();

  /**
   * A controller has taken control of the cluster.
   *
   * @param epoch of its lock; 0 in journals of versions without epochs
   * @param owner the user, process and host
   * @param version of this program
   * @param policy that it decides by; empty where a person decided
   * @param settings all its settings as in a settings file, also those that have their defaults;
   *     empty in journals of earlier versions, and where none counted
   * @param command that took control: {@code run}, or what a person ordered, as {@code release} or
   *     {@code split apply}; empty in journals of earlier versions
   * @param earlier bytes of the journal's files of earlier epochs on this host by their names: a
   *     line behind them was written by a controller that had lost control and did not know. Null
   *     in journals of versions that did not note them
   */
  record Took(
      Instant at,
      long epoch,
      String owner,
      String version,
      String policy,
      String settings,
      String command,
      Map<String, Long> earlier)
      implements Entry {
    public Took {
      settings = settings == null ? "" : settings;
      command = command == null ? "" : command;
      earlier = earlier == null ? null : Collections.unmodifiableMap(new TreeMap<>(earlier));
    }

    public Took(
        Instant at,
        long epoch,
        String owner,
        String version,
        String policy,
        String settings,
        String command) {
      this(at, epoch, owner, version, policy, settings, command, null);
    }

    /** The same with what was noted of earlier epochs' files. */
    public Took noting(Map<String, Long> files) {
      return new Took(at, epoch, owner, version, policy, settings, command, files);
    }
  }

  /**
   * The engine's own balancing was switched off, to stay off between plans.
   *
   * @param before its state when that began
   * @param again whether somebody had switched it on meanwhile
   */
  record BalancerHeld(Instant at, BalancerState before, boolean again) implements Entry {}

  /** The engine's own balancing was given back. */
  record BalancerReleased(Instant at, BalancerState to) implements Entry {}

  /** Control was lost; the cluster was left as it was, for the next controller. */
  record ControlLost(Instant at, long epoch, String why) implements Entry {}

  /**
   * A plan is about to be executed.
   *
   * @param before the state of the engine's own balancing
   * @param next the policy's state after it
   * @param users the level of users' requests before it; null if it is not known, as in journals of
   *     earlier versions
   * @param from what usage after it was predicted from; null if none was, as in journals of earlier
   *     versions
   */
  record PlanStarted(
      Instant at, Plan plan, BalancerState before, PolicyState next, UsersBefore users, Origin from)
      implements Entry {
    /** Without a level, or a prediction. */
    public PlanStarted(Instant at, Plan plan, BalancerState before, PolicyState next) {
      this(at, plan, before, next, null, null);
    }
  }

  /** An action is about to be executed. */
  record ActionStarted(Instant at, int step) implements Entry {}

  /** An action has ended. */
  record ActionEnded(Instant at, int step, ActionOutcome outcome, String detail) implements Entry {}

  /** The node of a plan's placeholder, such as {@code new-1}, exists. */
  record NodeAdded(Instant at, NodeId placeholder, NodeId node) implements Entry {}

  /**
   * A plan has ended; the engine's own balancing is restored.
   *
   * @param usersLost seconds of all users' requests that it has cost; null if that was not
   *     measured, and in journals of earlier versions
   */
  record PlanEnded(Instant at, String planId, PlanOutcome outcome, String why, Double usersLost)
      implements Entry {
    /** Of a plan during which nothing was measured. */
    public PlanEnded(Instant at, String planId, PlanOutcome outcome, String why) {
      this(at, planId, outcome, why, null);
    }

    OptionalDouble lost() {
      return usersLost == null ? OptionalDouble.empty() : OptionalDouble.of(usersLost);
    }
  }

  /**
   * What was predicted for the cluster after a plan, for as much load as there was before it.
   *
   * @param model id of the built model, as a changed file is another model; empty where usage was
   *     predicted from something else
   * @param kinds kinds of actions of the plan
   * @param usage predicted usage of the most used node
   * @param from what usage was predicted from; earlier versions did so from a built model only
   * @param nodes predicted usage by node; empty in journals of earlier versions
   */
  record Predicted(
      Instant at,
      String planId,
      String model,
      List<String> kinds,
      double usage,
      Origin from,
      Map<String, Double> nodes)
      implements Entry {
    public Predicted {
      from = from == null ? Origin.BUILT : from;
      nodes = nodes == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(nodes));
    }

    /** As earlier versions predicted it. */
    public Predicted(Instant at, String planId, String model, List<String> kinds, double usage) {
      this(at, planId, model, kinds, usage, null, null);
    }
  }

  /**
   * The observed usage for a prediction, measured when caches have filled after the plan, or when
   * they should have.
   *
   * @param usage of the most used node
   * @param nodes by node; empty in journals of earlier versions
   */
  record Measured(Instant at, String planId, double usage, Map<String, Double> nodes)
      implements Entry {
    public Measured {
      nodes = nodes == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(nodes));
    }

    /** As earlier versions measured it. */
    public Measured(Instant at, String planId, double usage) {
      this(at, planId, usage, null);
    }
  }

  /** The first decision at which all caches were full after a plan that added a node. */
  record Warmed(Instant at, String planId) implements Entry {}

  /**
   * Nothing was done, for a reason.
   *
   * @param repeated how often in a row; null for the first time
   */
  record Held(Instant at, String by, String reason, String setting, Repeated repeated)
      implements Entry {
    public Held(Instant at, String by, String reason, String setting) {
      this(at, by, reason, setting, null);
    }

    /** The same reason, or one of the same kind, in a row. */
    boolean same(Held other) {
      return by.equals(other.by) && setting.equals(other.setting);
    }

    int count() {
      return repeated == null ? 1 : repeated.count();
    }

    Instant first() {
      return repeated == null ? at : repeated.first();
    }
  }

  /**
   * Repetitions of a reason.
   *
   * @param first when it was first given
   * @param count how often it was given since, &gt; 1
   */
  record Repeated(Instant first, int count) {}

  /**
   * A node has become slow, still is, or is no longer.
   *
   * @param slow whether it is
   * @param what a sentence without an end, with its name
   * @param byPeers whether it was compared with its peers; null if coordinators avoid it, as in
   *     journals of earlier versions
   */
  record Slow(Instant at, NodeId node, boolean slow, String what, Boolean byPeers)
      implements Entry {
    /** Of a node that coordinators avoid. */
    public Slow(Instant at, NodeId node, boolean slow, String what) {
      this(at, node, slow, what, null);
    }
  }

  /**
   * A node that lives can't be read, or can be read again, or need not be.
   *
   * @param unread whether it can't
   * @param what a sentence without an end, with its name
   */
  record Unread(Instant at, NodeId node, boolean unread, String what) implements Entry {}

  /**
   * From now on the I/O wait in the nodes' usage is computed from something else.
   *
   * @param source a phrase, to follow "I/O wait from"
   */
  record WaitsFrom(Instant at, String source) implements Entry {
    /** A sentence without an end. */
    String text() {
      return "Server usage is CPU + I/O wait, I/O wait from " + source;
    }
  }

  /**
   * A tenant has more clients than were agreed, still has, or no longer has.
   *
   * @param above whether it has
   * @param clientHours of the clients above the agreed number, since that began
   * @param what a sentence without an end, with the tenant's name
   */
  record ClientsAbove(Instant at, String tenant, boolean above, double clientHours, String what)
      implements Entry {}

  /**
   * How an agreement is kept: when that has changed, and every ten minutes.
   *
   * @param since when it began to be so, also under earlier controllers
   * @param clients that there are; 0 if it is kept no longer
   * @param agreed clients of the agreement; 0 if it is kept no longer
   * @param objective what was promised, in words
   * @param measured what is missed, or what was measured, in words
   */
  record AgreementSeen(
      Instant at,
      String tenant,
      Verdict verdict,
      Instant since,
      int clients,
      int agreed,
      String objective,
      String measured)
      implements Entry {}

  /** A dry run would have executed this plan. */
  record Proposed(Instant at, Plan plan) implements Entry {}
}

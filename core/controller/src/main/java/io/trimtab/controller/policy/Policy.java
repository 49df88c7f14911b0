package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.Settings;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Makes a decision from an observation; pure, so equal input gives equal decisions on any machine.
 */
public interface Policy {
  /** The name in settings, plans and journals: lower case, one word. */
  String name();

  /** The inputs other than snapshots; the observation contains those that are available. */
  Set<Need> needs();

  /** Further inputs that it uses with these settings, as far as there are any. */
  default Set<Need> uses(Settings settings) {
    return Set.of();
  }

  /** All inputs that it needs, or uses with these settings. */
  default Set<Need> inputs(Settings settings) {
    Set<Need> all = EnumSet.noneOf(Need.class);
    all.addAll(needs());
    all.addAll(uses(settings));
    return all;
  }

  /** Whether it keeps the agreements that the settings name. */
  default boolean keepsAgreements() {
    return needs().contains(Need.SERVICE);
  }

  Decision decide(Observation.Usable seen, PolicyState state, Settings settings);

  /**
   * The same policy where it is known what would be refused: one that has alternatives takes the
   * best of those that may be carried out.
   */
  default Policy heeding(Veto veto) {
    return this;
  }

  /** What is said of a plan before it is carried out. */
  @FunctionalInterface
  interface Veto {
    /** Nothing is refused. */
    Veto NONE = act -> Optional.empty();

    /** Why it may not be carried out; empty if it may. */
    Optional<Refused> refusal(Decision.Act act);
  }

  /** Which plans a refusal is for. */
  enum Reach {
    /** The one that was asked about. */
    ONE,
    /** All that could be done in its place, but for what keeps an agreement that is missed. */
    UNLESS_OWED,
    /** All. */
    ALL
  }

  /**
   * Why a plan may not be carried out.
   *
   * @param setting the key that controls it; empty if there is none
   */
  record Refused(String reason, String setting, Reach reach) {
    /** For what one plan is. */
    public Refused(String reason, String setting) {
      this(reason, setting, Reach.ONE);
    }

    /** Whether what could be done in its place may not be carried out now either. */
    public boolean any() {
      return reach != Reach.ONE;
    }

    /**
     * Whether another plan need not be asked about.
     *
     * @param isOwed whether it keeps an agreement that is missed
     */
    public boolean endsSearch(boolean isOwed) {
      return reach == Reach.ALL || (any() && !isOwed);
    }
  }

  /**
   * The policy with this name; used when settings files are read.
   *
   * @throws IllegalArgumentException if there is none with this name
   */
  static Policy valueOf(String name) {
    return Policies.ALL.named(name);
  }
}

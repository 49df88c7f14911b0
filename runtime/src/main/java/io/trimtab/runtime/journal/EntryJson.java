package io.trimtab.runtime.journal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trimtab.controller.plan.PlanCosts;
import io.trimtab.controller.plan.PlanEffect;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.formats.JsonMappers;
import java.util.List;
import java.util.Optional;

/** JSON mapping of journal entries. */
public final class EntryJson {
  public static final ObjectMapper MAPPER =
      JsonMappers.MAPPER
          .copy()
          .addMixIn(Entry.class, EntryTypes.class)
          .addMixIn(Entry.Took.class, OwnEpoch.class)
          .addMixIn(Entry.ControlLost.class, OwnEpoch.class)
          .addMixIn(Entry.Held.class, OnlyKnown.class)
          .addMixIn(Entry.PlanStarted.class, OnlyKnown.class)
          .addMixIn(Entry.PlanEnded.class, OnlyKnown.class)
          .addMixIn(Entry.Slow.class, OnlyKnown.class)
          .addMixIn(PolicyState.class, Remembered.class);

  private EntryJson() {}

  /** Whether the epoch is one of the entry's own fields; otherwise each line has it besides. */
  static boolean tellsEpoch(Entry entry) {
    return entry instanceof Entry.Took || entry instanceof Entry.ControlLost;
  }

  /** As earlier versions wrote it, unless there is something that they did not know. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private interface OnlyKnown {}

  /** As earlier versions wrote it, unless there is something to remember that they did not. */
  private interface Remembered {
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<PolicyState.Rewrite> rewrites();

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<PolicyState.Replaced> replaced();

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<PolicyState.LeftSlow> left();

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    List<PolicyState.Full> full();

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    Optional<PlanCosts> costs();

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    Optional<PlanEffect> effect();
  }

  /** For lines of entries that have an epoch of their own. */
  @JsonIgnoreProperties({})
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private interface OwnEpoch {}

  /** Lines of earlier versions have no epoch. */
  @JsonIgnoreProperties("epoch")
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Entry.Took.class, name = "took-control"),
    @JsonSubTypes.Type(value = Entry.ControlLost.class, name = "lost-control"),
    @JsonSubTypes.Type(value = Entry.BalancerHeld.class, name = "balancer-held"),
    @JsonSubTypes.Type(value = Entry.BalancerReleased.class, name = "balancer-released"),
    @JsonSubTypes.Type(value = Entry.PlanStarted.class, name = "plan-started"),
    @JsonSubTypes.Type(value = Entry.ActionStarted.class, name = "action-started"),
    @JsonSubTypes.Type(value = Entry.ActionEnded.class, name = "action-ended"),
    @JsonSubTypes.Type(value = Entry.NodeAdded.class, name = "node-added"),
    @JsonSubTypes.Type(value = Entry.PlanEnded.class, name = "plan-ended"),
    @JsonSubTypes.Type(value = Entry.Predicted.class, name = "predicted"),
    @JsonSubTypes.Type(value = Entry.Measured.class, name = "measured"),
    @JsonSubTypes.Type(value = Entry.Warmed.class, name = "warmed"),
    @JsonSubTypes.Type(value = Entry.Held.class, name = "held"),
    @JsonSubTypes.Type(value = Entry.Slow.class, name = "slow-node"),
    @JsonSubTypes.Type(value = Entry.Unread.class, name = "unread-node"),
    @JsonSubTypes.Type(value = Entry.WaitsFrom.class, name = "waits-from"),
    @JsonSubTypes.Type(value = Entry.ClientsAbove.class, name = "clients-above"),
    @JsonSubTypes.Type(value = Entry.AgreementSeen.class, name = "agreement-seen"),
    @JsonSubTypes.Type(value = Entry.Proposed.class, name = "proposed")
  })
  private interface EntryTypes {}
}

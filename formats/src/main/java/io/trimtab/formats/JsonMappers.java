package io.trimtab.formats;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionCounters;

/** JSON mappers for plans and snapshots. */
public final class JsonMappers {
  public static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .addModule(new Jdk8Module())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .addMixIn(Action.class, ActionTypes.class)
          .addMixIn(ClusterSnapshot.class, SnapshotJson.class)
          .addMixIn(PlannedAction.class, PlannedActionFields.class)
          .addMixIn(PartitionCounters.class, ScanCallsField.class)
          .addMixIn(Rates.class, ScanCallsField.class)
          .build();

  private JsonMappers() {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Action.Move.class, name = "move"),
    @JsonSubTypes.Type(value = Action.Split.class, name = "split"),
    @JsonSubTypes.Type(value = Action.Merge.class, name = "merge"),
    @JsonSubTypes.Type(value = Action.Reconfigure.class, name = "reconfigure"),
    @JsonSubTypes.Type(value = Action.SetNode.class, name = "set"),
    @JsonSubTypes.Type(value = Action.SetBlockSize.class, name = "block-size"),
    @JsonSubTypes.Type(value = Action.Compact.class, name = "compact"),
    @JsonSubTypes.Type(value = Action.AddNode.class, name = "add-node"),
    @JsonSubTypes.Type(value = Action.ReplaceNode.class, name = "replace-node"),
    @JsonSubTypes.Type(value = Action.Cleanup.class, name = "cleanup"),
    @JsonSubTypes.Type(value = Action.DrainNode.class, name = "drain"),
    @JsonSubTypes.Type(value = Action.RemoveNode.class, name = "remove-node")
  })
  private interface ActionTypes {}

  /** Version 0.1.0 wrote calls of scans under the name of scans. */
  private interface ScanCallsField {
    @JsonAlias("scans")
    Number scanCalls();
  }

  /** As the record with these fields was written, which journals are full of. */
  @JsonAutoDetect(
      getterVisibility = Visibility.NONE,
      isGetterVisibility = Visibility.NONE,
      fieldVisibility = Visibility.NONE)
  @JsonPropertyOrder({"step", "action", "reason", "effect", "cost", "undo"})
  private abstract static class PlannedActionFields {
    @JsonCreator
    PlannedActionFields(
        @JsonProperty("step") int step,
        @JsonProperty("action") Action action,
        @JsonProperty("reason") String reason,
        @JsonProperty("effect") String effect,
        @JsonProperty("cost") String cost,
        @JsonProperty("undo") String undo) {}

    @JsonProperty
    abstract int step();

    @JsonProperty
    abstract Action action();

    @JsonProperty
    abstract String reason();

    @JsonProperty
    abstract String effect();

    @JsonProperty
    abstract String cost();

    @JsonProperty
    abstract String undo();
  }
}

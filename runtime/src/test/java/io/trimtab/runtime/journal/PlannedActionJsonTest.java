package io.trimtab.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.formats.JsonMappers;
import org.junit.jupiter.api.Test;

/** Journals hold plans: what is written stays as it was, and what was written is read. */
class PlannedActionJsonTest {
  private static final String WRITTEN =
      "{\"step\":2,\"action\":{\"kind\":\"drain\",\"node\":{\"name\":\"a:1\"}},"
          + "\"reason\":\"why\",\"effect\":\"what\",\"cost\":\"how much\",\"undo\":\"back\"}";

  /** Texts that are made when they are asked for. */
  private record Late(String prefix) implements PlannedAction.Texts {
    @Override
    public String reason() {
      return prefix + "y";
    }

    @Override
    public String effect() {
      return prefix + "at";
    }

    @Override
    public String cost() {
      return "how much";
    }

    @Override
    public String undo() {
      return "back";
    }
  }

  private static PlannedAction late() {
    return new PlannedAction(2, new Action.DrainNode(new NodeId("a:1")), new Late("wh"));
  }

  private static PlannedAction early() {
    return new PlannedAction(
        2, new Action.DrainNode(new NodeId("a:1")), "why", "what", "how much", "back");
  }

  @Test
  void isWrittenAsEverWhereverItsTextsComeFrom() throws Exception {
    assertThat(JsonMappers.MAPPER.writeValueAsString(early())).isEqualTo(WRITTEN);
    assertThat(JsonMappers.MAPPER.writeValueAsString(late())).isEqualTo(WRITTEN);
  }

  @Test
  void isReadAsItWasWritten() throws Exception {
    PlannedAction read = JsonMappers.MAPPER.readValue(WRITTEN, PlannedAction.class);
    assertThat(read).isEqualTo(late()).isEqualTo(early()).hasSameHashCodeAs(late());
    assertThat(read).isNotEqualTo(new PlannedAction(2, read.action(), "why", "what", "", "back"));
    // A field that is missing, and one of a later version.
    String other = "{\"step\":2,\"reason\":\"why\",\"later\":1}";
    assertThat(JsonMappers.MAPPER.readValue(other, PlannedAction.class).reason()).isEqualTo("why");
  }
}

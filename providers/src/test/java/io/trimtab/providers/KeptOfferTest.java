package io.trimtab.providers;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeptOfferTest {
  private static final Duration LONG = Duration.ofHours(1);

  private int asked;
  private boolean fails;

  private NodeCapacity asked() throws EngineException {
    asked++;
    if (fails) {
      throw new EngineException("not reached");
    }
    return NodeCapacity.of(asked);
  }

  private KeptOffer kept(Duration keep) {
    return new KeptOffer(keep, "nobody tells", this::asked);
  }

  @Test
  void anAnswerIsUsedAgainUntilAChangeIsAskedFor() {
    KeptOffer offer = kept(LONG);
    assertThat(offer.get().spare()).isEqualTo(1);
    assertThat(offer.get().spare()).isEqualTo(1);
    offer.forget();
    assertThat(offer.get().spare()).isEqualTo(2);
  }

  @Test
  void anAnswerThatIsTooOldIsNot() {
    KeptOffer offer = kept(Duration.ZERO);
    assertThat(offer.get().spare()).isEqualTo(1);
    assertThat(offer.get().spare()).isEqualTo(2);
  }

  @Test
  void whoDoesNotAnswerOffersNothingAndIsNotAskedAtOnceAgain() {
    fails = true;
    KeptOffer offer = kept(LONG);
    assertThat(offer.get()).isEqualTo(NodeCapacity.untold("nobody tells"));
    assertThat(offer.get().hindrance()).hasValue("no node can be added: nobody tells");
    assertThat(offer.get().removable().allows(new NodeId("a:1"), Set.of(), false)).isFalse();
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void whatIsAnsweredInsteadIsTold() {
    KeptOffer offer =
        new KeptOffer(
            LONG,
            "nobody tells",
            () -> {
              throw new UnusableAnswerException("its answer is not JSON: lots");
            });
    assertThat(offer.get()).isEqualTo(NodeCapacity.untold("its answer is not JSON: lots"));
  }

  @Test
  void whoIsNotTrustedIsTold() {
    KeptOffer offer =
        new KeptOffer(
            LONG,
            "nobody tells",
            () -> {
              throw new UntrustedServiceException("its certificate is a stranger's", null);
            });
    assertThat(offer.get()).isEqualTo(NodeCapacity.untold("its certificate is a stranger's"));
  }
}

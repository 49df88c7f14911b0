package io.trimtab.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RedactionTest {
  @Test
  void secretsAreTakenOutAndTheRestStays() {
    Redaction hidden = new Redaction(List.of("s3cret", "s3cret-and-more", ""));
    assertThat(hidden.in("neither s3cret-and-more (ann) nor s3cret."))
        .isEqualTo("neither (secret) (ann) nor (secret).");
    assertThat(hidden.in("HTTP status 400")).isEqualTo("HTTP status 400");
    assertThat(hidden).hasToString("(secret)");
    assertThat(new Redaction(List.of()).in("s3cret")).isEqualTo("s3cret");
  }

  /** Where its letters are missing, it can be read. */
  @Test
  void aSecretThatIsInAnyWordLeavesNoWord() {
    Redaction hidden = new Redaction(List.of("e", "s3cret"));
    assertThat(hidden.in("no such label")).isEqualTo("(secret)");
    assertThat(hidden.in("a b")).isEqualTo("a b");
  }
}

package io.trimtab.testkit.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class TextFormsTest {
  private static final String SECRET = "s3cr3tW0rd";

  /** As a record does it by itself. */
  private record Tells(String password) {}

  private record Hides(String password) {
    @Override
    public String toString() {
      return "hides";
    }
  }

  /** Its own form shows nothing of what it holds. */
  private record Holds(Object inner) {
    @Override
    public String toString() {
      return "holds";
    }
  }

  private static TextForms of(Object inner) {
    return TextForms.of(new Holds(inner), List.of("other", SECRET));
  }

  @Test
  void whatShowsASecretIsFoundWhereverItIs() {
    Tells tells = new Tells("my " + SECRET);
    Supplier<String> asked = tells::password;
    for (Object inner :
        List.of(
            tells,
            List.of(1, tells),
            Map.of("key", Optional.of(tells)),
            Map.of(tells, "value"),
            new Object[] {null, tells},
            new AtomicReference<>(tells),
            asked)) {
      assertThat(of(inner).showing()).as("%s", inner).containsExactly(Tells.class.getName());
    }
  }

  @Test
  void whatKeepsASecretToItselfShowsNone() {
    TextForms forms = of(List.of(new Hides(SECRET), SECRET, Optional.of(SECRET)));
    assertThat(forms.showing()).isEmpty();
    assertThat(forms.classes()).containsExactly(Hides.class.getName(), Holds.class.getName());
  }
}

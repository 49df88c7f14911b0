package io.trimtab.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.checkout.FakeCheckout.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./trimtab defects} writes and returns; what the simulation finds is made up here. */
final class LauncherDefectsTest {
  private static final String REPORT = "docs/experiments/DEFECTS/README.md";
  private static final String SOURCE = "class A {}\n";
  private static final String PATCH =
      """
      The body of A

      Promise 3. Taken away: that A has no field.

      Note: nobody | asks for it.

      --- a/m/src/main/java/A.java
      +++ b/m/src/main/java/A.java
      @@ -1 +1 @@
      -class A {}
      +class A { int field; }
      """;

  @TempDir private Path folder;
  private FakeCheckout checkout;
  private Path temporary;

  @BeforeEach
  void makeCheckout() throws IOException {
    checkout = new FakeCheckout(folder);
    checkout.installAll();
    checkout.script("simulator/defects/run");
    checkout.write("m/src/main/java/A.java", SOURCE);
    checkout.write("simulator/defects/01-body-of-a.patch", PATCH);
    temporary = Files.createDirectory(folder.resolve("temporary"));
  }

  private Ran defects(String... options) throws Exception {
    return defects(Map.of(), options);
  }

  private Ran defects(Map<String, String> environment, String... options) throws Exception {
    var all = new java.util.HashMap<>(environment);
    all.put("TMPDIR", temporary.toString());
    Ran ran =
        checkout.run(
            all, Stream.concat(Stream.of("defects"), Stream.of(options)).toArray(String[]::new));
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left).as("temporary folders").isEmpty();
    }
    assertThat(checkout.file("m/src/main/java/A.java")).hasContent(SOURCE);
    return ran;
  }

  @Test
  void theTableSaysWhatWasFoundWithTheCommandThatReplaysIt() throws Exception {
    checkout.simulate("seed 4:", "  seed 4, 03:21.000: x | y", "4 seeds, 1 violations");
    Ran ran = defects();
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).isEmpty();
    assertThat(checkout.file(REPORT))
        .content()
        .contains("**1 of 1 found.** Without any defect seed 4 breaks a promise: x | y.")
        .contains(
            "| [body-of-a](../../../simulator/defects/01-body-of-a.patch): The body of A | 3 "
                + "| 4: x \\| y | nobody \\| asks for it. "
                + "| `./trimtab defects --seeds 1 --seed 4 --verbose body-of-a` |");
  }

  @Test
  void theTableOfSomeIsPrintedOnly() throws Exception {
    checkout.simulate("7 seeds, 0 violations");
    Ran ran = defects("--seeds", "7", "01-body-of-a");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("| 3 | not found | nobody", "**0 of 1 found.**");
    assertThat(checkout.file(REPORT)).doesNotExist();
  }

  @Test
  void aPatchThatDoesNotApplyIsNamed() throws Exception {
    checkout.write("simulator/defects/02-old.patch", PATCH.replace("-class A", "-class B"));
    checkout.simulate("1 seeds, 0 violations");
    Ran ran = defects();
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("trimtab: 02-old.patch does not apply", "A.java");
  }

  @Test
  void aDefectThatDoesNotCompileOrRunIsNoDefectThatIsNotFound() throws Exception {
    checkout.run("built-before");
    Ran compiled = defects(Map.of("JAVA_EXIT", "1"), "body-of-a");
    assertThat(compiled.code()).isEqualTo(1);
    assertThat(compiled.err()).contains("trimtab: 01-body-of-a.patch does not compile");

    checkout.simulate("Error: no memory");
    assertThat(defects("body-of-a").code()).isEqualTo(1);
    checkout.simulate(
        "seed 0:", "  seed 0, 00:00.000: java.lang.NoSuchMethodError: m", "1 seeds, 1 violations");
    assertThat(defects("body-of-a").err()).contains("the simulation failed", "NoSuchMethodError");
  }

  @Test
  void wrongOptionsAreRefused() throws Exception {
    assertThat(defects("--seeds", "many").code()).isEqualTo(2);
    assertThat(defects("--seeds", "0").code()).isEqualTo(2);
    assertThat(defects("--seed").code()).isEqualTo(2);
    assertThat(defects("--threads", "2").code()).isEqualTo(2);
    assertThat(defects("--verbose").code()).isEqualTo(2);
    Ran unknown = defects("body");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err())
        .isEqualTo("trimtab: there is no defect 'body'; see trimtab defects --list\n");
    assertThat(defects("--list").out()).isEqualTo("body-of-a            The body of A\n");
    assertThat(defects("--help").out()).contains("Usage: trimtab defects");
  }
}

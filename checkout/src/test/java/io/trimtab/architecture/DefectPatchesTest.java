package io.trimtab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The patches of {@code ./trimtab defects} fit the sources as they are: each piece of a file that a
 * patch changes is there, once.
 */
final class DefectPatchesTest {
  private static final Path ROOT = Sources.root();
  private static final Path FOLDER = ROOT.resolve("simulator").resolve("defects");
  private static final Pattern NAME = Pattern.compile("\\d\\d-[a-z-]+\\.patch");
  private static final Pattern PROMISE = Pattern.compile("(?m)^Promise ([1-9]|1[0-8])\\. ");
  private static final Pattern REPLAY =
      Pattern.compile("\\./trimtab defects --seeds 1 --seed \\d+ --verbose ([a-z-]+)");

  /** A piece of a file, without what a patch adds to it. */
  private record Hunk(String file, List<String> lines) {}

  @Test
  void everyPatchStillApplies() {
    List<String> problems = new ArrayList<>();
    for (Path patch : patches()) {
      List<Hunk> hunks = hunks(Sources.text(patch));
      if (hunks.isEmpty()) {
        problems.add(patch.getFileName() + " changes nothing");
      }
      hunks.forEach(hunk -> problem(hunk).forEach(p -> problems.add(patch.getFileName() + p)));
    }
    assertThat(problems)
        .as("patches of simulator/defects that no longer fit; change them as the code has changed")
        .isEmpty();
  }

  @Test
  void everyPatchSaysWhatItTakesAwayFromWhichPromise() {
    assertThat(patches()).hasSizeGreaterThan(20);
    for (Path patch : patches()) {
      String text = Sources.text(patch);
      assertThat(patch.getFileName().toString()).matches(NAME);
      assertThat(text.lines().findFirst().orElse("")).as(patch.toString()).isNotBlank();
      assertThat(PROMISE.matcher(text).results()).as(patch.toString()).hasSize(1);
    }
    List<String> names = patches().stream().map(DefectPatchesTest::shortName).toList();
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  void theReportNamesDefectsThatExist() {
    Path report = ROOT.resolve("docs/experiments/DEFECTS/README.md");
    List<String> names = patches().stream().map(DefectPatchesTest::shortName).toList();
    assertThat(REPLAY.matcher(Sources.text(report)).results().map(found -> found.group(1)))
        .isNotEmpty()
        .allSatisfy(name -> assertThat(names).contains(name));
  }

  @Test
  void aPatchThatDoesNotFitIsToldWithItsFile() {
    String pom = "--- a/pom.xml\n+++ b/pom.xml\n@@ -1,2 +1,2 @@\n";
    assertThat(hunks(pom + " no such line\n-nor this one\n+but this one\n"))
        .singleElement()
        .satisfies(hunk -> assertThat(hunk.lines()).containsExactly("no such line", "nor this one"))
        .satisfies(
            hunk -> assertThat(problem(hunk)).singleElement().asString().contains("pom.xml"));
    assertThat(problem(hunks("--- a/gone.xml\n+++ b/gone.xml\n@@ -1 +1 @@\n-a\n+b\n").get(0)))
        .containsExactly(": there is no gone.xml");
  }

  private static List<Path> patches() {
    return Sources.files().stream().filter(file -> file.toString().endsWith(".patch")).toList();
  }

  private static String shortName(Path patch) {
    assertThat(patch.getParent()).isEqualTo(FOLDER);
    return patch.getFileName().toString().replaceFirst("^\\d+-", "").replaceFirst("\\.patch$", "");
  }

  private static List<Hunk> hunks(String patch) {
    List<Hunk> hunks = new ArrayList<>();
    String file = "";
    boolean inside = false;
    for (String line : patch.lines().toList()) {
      if (line.startsWith("--- a/")) {
        file = line.substring("--- a/".length());
        inside = false;
      } else if (line.startsWith("@@ ")) {
        hunks.add(new Hunk(file, new ArrayList<>()));
        inside = true;
      } else if (inside && !line.startsWith("+")) {
        // Editors cut the blank that an empty line of the file begins with.
        hunks.get(hunks.size() - 1).lines().add(line.isEmpty() ? "" : line.substring(1));
      }
    }
    return hunks;
  }

  private static List<String> problem(Hunk hunk) {
    Path file = ROOT.resolve(hunk.file());
    if (!Files.exists(file)) {
      return List.of(": there is no " + hunk.file());
    }
    List<String> lines = Sources.text(file).lines().toList();
    int at = Collections.indexOfSubList(lines, hunk.lines());
    String piece = hunk.file() + ":\n" + String.join("\n", hunk.lines());
    if (at < 0) {
      return List.of(": these lines are not in " + piece);
    }
    return at == Collections.lastIndexOfSubList(lines, hunk.lines())
        ? List.of()
        : List.of(": these lines are more than once in " + piece);
  }
}

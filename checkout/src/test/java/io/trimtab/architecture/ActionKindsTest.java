package io.trimtab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.plan.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kinds of actions are told apart by {@link io.trimtab.engineapi.plan.ActionVisitor} and filtered
 * by {@link Action#as}: behind a chain of tests a new action does nothing, and nobody notices.
 */
final class ActionKindsTest {
  private static final String KIND =
      "(?:[\\w.]+\\.)?Action\\s*\\.\\s*(?:"
          + Arrays.stream(Action.class.getPermittedSubclasses())
              .map(Class::getSimpleName)
              .collect(Collectors.joining("|"))
          + ")\\b";

  /** The last one forbids names by which the others would miss a kind. */
  private static final Pattern TESTED =
      Pattern.compile(
          String.join(
              "|",
              "\\binstanceof\\s+(?:final\\s+)?" + KIND,
              KIND + "\\s*\\.\\s*class\\s*(?:::|\\.)\\s*(?:isInstance|cast)\\b",
              KIND + "\\s*\\.\\s*class\\s*[!=]=",
              "[!=]=\\s*" + KIND + "\\s*\\.\\s*class\\b",
              "\\(\\s*" + KIND + "\\s*\\)\\s*\\w",
              "\\baction(?:\\(\\))?\\s*\\.\\s*getClass\\(",
              "\\.kind\\(\\)\\s*\\.equals\\(\\s*\"",
              "import\\s+(?:static\\s+)?io\\.trimtab\\.engineapi\\.plan\\.Action\\."));

  @Test
  void noCodeTestsTheKindOfAnAction() {
    List<Path> main =
        Sources.java().stream().filter(file -> file.toString().contains("/src/main/")).toList();
    assertThat(main).hasSizeGreaterThan(100);
    assertThat(tested(main)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (action instanceof Action.Move move) {",
        "if (planned.action()\n    instanceof io.trimtab.engineapi.plan.Action.RemoveNode) {",
        ".filter(Action.Split.class::isInstance)",
        "if (Action.Merge.class.isInstance(action)) {",
        "if (type == Action.Cleanup.class) {",
        "return (Action.AddNode) planned.action();",
        "a.action().getClass() == b.action().getClass()",
        "if (action.kind().equals(\"move\")) {",
        "import io.trimtab.engineapi.plan.Action.Compact;"
      })
  void theRuleBites(String bad, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("Bad.java");
    Files.writeString(file, "// one line before\n" + bad + "\n");
    assertThat(tested(List.of(file)))
        .isNotEmpty()
        .allSatisfy(at -> assertThat(at).matches(Pattern.quote(file + ":") + "[23]: .*"));
  }

  @Test
  void filtersAndConstructorsAreNoTests(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("Good.java");
    Files.writeString(
        file,
        String.join(
            "\n",
            "plan.actions(Action.Move.class)",
            "action.as(Action.Split.class).isPresent()",
            "new Action.Cleanup(node)",
            "public String move(Action.Move move) {",
            "Action.ApplyMode.ONLINE == change.way()"));
    assertThat(tested(List.of(file))).isEmpty();
  }

  private static List<String> tested(List<Path> files) {
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      String text = Sources.text(file);
      Matcher matcher = TESTED.matcher(text);
      while (matcher.find()) {
        long line = text.substring(0, matcher.start()).lines().count();
        boolean begins = matcher.start() == 0 || text.charAt(matcher.start() - 1) == '\n';
        found.add(file + ":" + (begins ? line + 1 : line) + ": " + matcher.group());
      }
    }
    return found;
  }
}

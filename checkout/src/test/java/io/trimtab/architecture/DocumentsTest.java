package io.trimtab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cli.Commands;
import io.trimtab.config.Bytes;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Profile;
import io.trimtab.formats.Sla;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents that drift from the code mislead; what can be checked is checked. */
final class DocumentsTest {
  private static final Path ROOT = Sources.root();
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]+)\\)");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern COMMAND = Pattern.compile("(?m)^\\./trimtab (.+)$");
  private static final Pattern KEY = Pattern.compile("(?m)^\\| `([a-zA-Z0-9.]+)` \\|");
  private static final Pattern CLASS = Pattern.compile("`(io\\.trimtab\\.[a-z.]+\\.[A-Z]\\w+)`");

  @Test
  void everyLinkLeadsSomewhere() {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Sources.text(document));
      while (link.find()) {
        if (!Files.exists(document.resolveSibling(link.group(1)))) {
          broken.add(document + ": " + link.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyModuleIsInTheTable() {
    String architecture = Sources.text(ROOT.resolve("ARCHITECTURE.md"));
    Matcher module = MODULE.matcher(Sources.text(ROOT.resolve("pom.xml")));
    List<String> modules = module.results().map(m -> m.group(1).replaceFirst(".*/", "")).toList();
    assertThat(modules).isNotEmpty();
    assertThat(modules).allSatisfy(m -> assertThat(architecture).contains("| `" + m + "` |"));
  }

  @Test
  void everyClassThatADocumentNamesExists() {
    List<String> sources = Sources.java().stream().map(Path::toString).toList();
    List<String> missing = new ArrayList<>();
    for (Path document : documents()) {
      Matcher name = CLASS.matcher(Sources.text(document));
      while (name.find()) {
        String file = "/" + name.group(1).replace('.', '/') + ".java";
        if (sources.stream().noneMatch(source -> source.endsWith(file))) {
          missing.add(document + ": " + name.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void everyDecisionIsInTheIndex() {
    Path folder = ROOT.resolve("docs").resolve("decisions");
    String index = Sources.text(folder.resolve("README.md"));
    List<String> decisions =
        documents().stream()
            .filter(document -> document.startsWith(folder))
            .map(document -> document.getFileName().toString())
            .filter(name -> !name.equals("README.md"))
            .toList();
    assertThat(decisions).hasSizeGreaterThan(2);
    assertThat(decisions).allSatisfy(name -> assertThat(index).contains("](" + name + ")"));
  }

  @Test
  void everyCommandOfADocumentCanBeParsed() {
    List<String> wrong = new ArrayList<>();
    int checked = 0;
    for (Path document : documents()) {
      Matcher command = COMMAND.matcher(Sources.text(document));
      while (command.find()) {
        String[] words = command.group(1).replaceFirst("\\s#.*", "").strip().split("\\s+");
        // The launcher's own.
        if (!List.of("test", "bench").contains(words[0]) && !Commands.parse(words)) {
          wrong.add(document + ": " + command.group());
        }
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(15);
    assertThat(wrong).isEmpty();
  }

  /** A key that is not documented can't be found; one that is gone misleads. */
  @Test
  void theKeysOfFilesAreThoseOfTheCode() {
    // The policy is told in words.
    Stream<String> autopilot = grouped(Settings.class).filter(key -> key.contains("."));
    Path configuration = ROOT.resolve("docs").resolve("configuration.md");
    assertThat(keys(configuration))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(autopilot, grouped(LabConfig.class), grouped(Sla.class))
                .flatMap(keys -> keys)
                .toList());
    assertThat(keys(ROOT.resolve("docs").resolve("workload.md")))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(components(WorkloadSpec.class), components(TenantSpec.class)).toList());
  }

  /** Records that a file has as a word. */
  private static final Set<Class<?>> WORDS = Set.of(Bytes.class, Profile.class);

  /** Keys of groups with the group's name before them, others as they are. */
  private static Stream<String> grouped(Class<?> type) {
    return Stream.of(type.getRecordComponents())
        .flatMap(
            part ->
                part.getType().isRecord() && !WORDS.contains(part.getType())
                    ? components(part.getType()).map(key -> part.getName() + "." + key)
                    : Stream.of(part.getName()));
  }

  private static Stream<String> components(Class<?> type) {
    return Stream.of(type.getRecordComponents()).map(RecordComponent::getName);
  }

  private static List<String> keys(Path document) {
    return KEY.matcher(Sources.text(document)).results().map(m -> m.group(1)).toList();
  }

  private static List<Path> documents() {
    return Sources.files().stream().filter(file -> file.toString().endsWith(".md")).toList();
  }
}

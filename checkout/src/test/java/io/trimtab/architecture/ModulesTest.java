package io.trimtab.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.trimtab.architecture.ModuleTable.MAY_SEE;
import static io.trimtab.architecture.ModuleTable.ROOT;
import static io.trimtab.architecture.ModuleTable.own;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Who may see whom. Maven's dependencies hold most of this already; these rules also hold where a
 * dependency comes in transitively, and they name libraries.
 */
final class ModulesTest {
  private static final String PORTS = "io.trimtab.runtime.ports.SystemPorts";

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.trimtab");

  /** JDK packages that all may see; {@code sun..} and {@code com.sun..} are not among them. */
  private static final List<String> JDK =
      List.of("java..", "javax..", "org.ietf.jgss..", "org.w3c.dom..", "org.xml.sax..");

  private static final Map<String, Class<?>> KNOWN_BAD =
      Map.ofEntries(
          Map.entry("engineapi", io.trimtab.engineapi.knownbad.SeesConfiguration.class),
          Map.entry("config", io.trimtab.config.knownbad.SeesTheVocabulary.class),
          Map.entry("host", io.trimtab.host.knownbad.SeesAnAdapter.class),
          Map.entry("cassandra", io.trimtab.cassandra.knownbad.SeesTheLab.class),
          Map.entry("controller", io.trimtab.controller.knownbad.SeesAnAdapter.class),
          Map.entry("models", io.trimtab.models.knownbad.SeesTheVocabulary.class),
          Map.entry("plugincore", io.trimtab.plugincore.knownbad.SeesTheVocabulary.class),
          Map.entry("runtime", io.trimtab.runtime.knownbad.SeesAnAdapter.class),
          Map.entry("testkit", io.trimtab.testkit.knownbad.SeesTheController.class),
          Map.entry("hbasewire", io.trimtab.hbasewire.knownbad.SeesHadoop.class),
          Map.entry("hbasecounting", io.trimtab.hbasecounting.knownbad.SeesTheVocabulary.class),
          Map.entry("hbaseplugin", io.trimtab.hbaseplugin.knownbad.SeesTheVocabulary.class),
          Map.entry("cassandraplugin", io.trimtab.cassandraplugin.knownbad.SeesTheVocabulary.class),
          Map.entry("hbase", io.trimtab.hbase.knownbad.SeesTheLab.class),
          Map.entry("workload", io.trimtab.workload.knownbad.SeesAnAdapter.class),
          Map.entry("lab", io.trimtab.lab.knownbad.SeesTheLoop.class),
          Map.entry("formats", io.trimtab.formats.knownbad.SeesTheLoop.class),
          Map.entry("providers", io.trimtab.providers.knownbad.SeesTheLoop.class),
          Map.entry("sources", io.trimtab.sources.knownbad.SeesAnAdapter.class),
          Map.entry("clikit", io.trimtab.clikit.knownbad.SeesTheLoop.class),
          Map.entry("cli", io.trimtab.cli.knownbad.SeesTheLab.class),
          Map.entry("simulator", io.trimtab.simulator.knownbad.SeesAnAdapter.class),
          Map.entry("calibrate", io.trimtab.calibrate.knownbad.SeesTheLoop.class),
          Map.entry("experiments", io.trimtab.experiments.knownbad.SeesTheCommandLine.class));

  private static ArchRule dependencies(String module) {
    List<String> seen = new ArrayList<>(JDK);
    seen.add(own(module));
    seen.addAll(MAY_SEE.get(module));
    return classes()
        .that()
        .resideInAPackage(own(module))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(seen.toArray(String[]::new))
        .allowEmptyShould(true)
        .because("of the module table in ARCHITECTURE.md");
  }

  static Set<String> modules() {
    return MAY_SEE.keySet();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleSeesOnlyWhatItMay(String module) {
    dependencies(module).check(MAIN);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void theRuleOfAModuleBites(String module) {
    JavaClasses bad = new ClassFileImporter().importClasses(KNOWN_BAD.get(module));
    assertThatThrownBy(() -> dependencies(module).check(bad))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(KNOWN_BAD.get(module).getSimpleName());
  }

  /** A module that these rules do not see is held by none of them. */
  @Test
  void everyModuleWithSourcesIsSeen() {
    assertThat(unseen(Sources.modules(), MAIN)).isEmpty();
  }

  @Test
  void aModuleThatIsNotSeenIsFound() {
    JavaClasses two = new ClassFileImporter().importPackages("io.trimtab.config");
    assertThat(unseen(Map.of("config", "config", "formats", "formats"), two))
        .containsExactly("formats");
  }

  private static List<String> unseen(Map<String, String> modules, JavaClasses seen) {
    return modules.entrySet().stream()
        .filter(
            module ->
                !MAY_SEE.containsKey(module.getValue())
                    || seen.stream()
                        .noneMatch(c -> c.getPackageName().startsWith(ROOT + module.getValue())))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  @Test
  void everyPackageBelongsToAModuleOfTheTable() {
    List<String> strangers =
        MAIN.stream()
            .map(c -> c.getPackageName().substring(ROOT.length()).split("\\.", 2)[0])
            .filter(module -> !MAY_SEE.containsKey(module))
            .distinct()
            .toList();
    assertThat(strangers).isEmpty();
  }

  /** Which of two Hadoops Maven takes depends on the order of dependencies. */
  @Test
  void theClassPathOfTheCheckoutCanStartALab() {
    List<String> jars = Sources.jars(Sources.root().resolve("checkout/target/classpath"));
    assertThat(jars).anyMatch(jar -> jar.startsWith("jetty-servlet-"));
    assertThat(jars).anyMatch(jar -> jar.startsWith("hadoop-hdfs-"));
  }

  /** Production commands reach no lab, no experiment and no load generator, not even by Maven. */
  @Test
  void theClassPathOfProductionHasNoServer() {
    List<String> jars = Sources.jars(Sources.root().resolve("cli/target/classpath"));
    assertThat(jars).hasSizeGreaterThan(20);
    assertThat(jars)
        .noneMatch(
            jar ->
                jar.matches(
                    "(hbase-server|hadoop-hdfs|core-0[.]17|xchart|cassandra-all|lab|workload"
                        + "|experiments|calibrate|contract|testkit).*"));
  }

  @Test
  void decisionsArePure() {
    Purity.rule(own("controller")).check(MAIN);
    Purity.rule(own("models")).check(MAIN);
    Purity.rule(own("plugincore")).check(MAIN);
  }

  @Test
  void theRuleOfPurityBitesOnEveryKindOfImpurity() {
    Class<?>[] kinds = io.trimtab.controller.knownbad.Impure.class.getDeclaredClasses();
    assertThat(kinds).hasSizeGreaterThan(4);
    assertThat(Arrays.asList(kinds))
        .allSatisfy(
            kind ->
                assertThatThrownBy(
                        () ->
                            Purity.rule(own("controller"))
                                .check(new ClassFileImporter().importClasses(kind)))
                    .isInstanceOf(AssertionError.class));
  }

  @Test
  void theRuntimeTouchesTheMachineThroughItsPorts() {
    Purity.ports(own("runtime"), PORTS).check(MAIN);
    // The exception must be one: else the rule would hold for a class that is elsewhere by now.
    assertThatThrownBy(() -> Purity.ports(own("runtime"), "none").check(MAIN))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(PORTS);
  }

  /** All others are given them, so that a simulation runs the same code. */
  @Test
  void theRuntimeIsGivenItsPorts() {
    noClasses()
        .that()
        .resideInAPackage(own("runtime"))
        .and()
        .resideOutsideOfPackage(own("runtime.ports"))
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName(PORTS)
        .check(MAIN);
  }

  @Test
  void theRuleOfPortsBitesOnEveryWayAroundThem() {
    Class<?>[] kinds = io.trimtab.runtime.knownbad.TouchesTheMachine.class.getDeclaredClasses();
    assertThat(kinds).hasSizeGreaterThan(5);
    assertThat(Arrays.asList(kinds))
        .allSatisfy(
            kind ->
                assertThatThrownBy(
                        () ->
                            Purity.ports(own("runtime"), PORTS)
                                .check(new ClassFileImporter().importClasses(kind)))
                    .isInstanceOf(AssertionError.class));
  }
}

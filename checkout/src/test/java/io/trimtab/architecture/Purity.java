package io.trimtab.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/**
 * The same history and settings give the same decision on any machine, so whoever decides has no
 * clock, no thread, no input or output, and no randomness but what is handed in with its seed.
 */
final class Purity {
  private static final Set<String> IMPURE_CALLS =
      Set.of(
          "java.lang.System.currentTimeMillis()",
          "java.lang.System.nanoTime()",
          "java.lang.System.getenv(java.lang.String)",
          "java.lang.System.getProperty(java.lang.String)",
          "java.lang.Math.random()",
          "java.time.Instant.now()",
          "java.time.LocalDateTime.now()",
          "java.time.LocalTime.now()",
          "java.time.LocalDate.now()",
          "java.time.ZonedDateTime.now()",
          "java.time.ZoneId.systemDefault()",
          "java.time.Clock.systemUTC()",
          "java.time.Clock.systemDefaultZone()",
          "java.util.Random.<init>()",
          "java.util.SplittableRandom.<init>()",
          "java.util.UUID.randomUUID()",
          "java.util.Collections.shuffle(java.util.List)",
          "java.util.Collection.parallelStream()",
          "java.util.List.parallelStream()");

  private static final Set<String> IMPURE_CLASSES =
      Set.of(
          "java.lang.Thread",
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.lang.Runtime",
          "java.util.concurrent.ThreadLocalRandom",
          "java.security.SecureRandom");

  /** What only the implementations of the runtime's ports may touch. */
  private static final Set<String> MACHINE =
      Set.of(
          "java.lang.Thread",
          "java.lang.ProcessHandle",
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.lang.Runtime",
          "java.util.Timer",
          "java.util.concurrent.CompletableFuture",
          "java.util.concurrent.ExecutorService",
          "java.util.concurrent.Executors",
          "java.util.concurrent.ForkJoinPool",
          "java.util.concurrent.ScheduledExecutorService",
          "java.util.concurrent.ThreadLocalRandom",
          "java.util.concurrent.ThreadPoolExecutor",
          "java.util.concurrent.TimeUnit",
          "java.security.SecureRandom");

  private Purity() {}

  /**
   * Clocks, threads, processes and chance come through ports; files and sockets do not count here.
   *
   * @param except the class that implements the ports
   */
  static ArchRule ports(String packages, String except) {
    return noClasses()
        .that()
        .resideInAPackage(packages)
        .and(
            DescribedPredicate.describe(
                "do not implement the ports",
                (JavaClass c) ->
                    !c.getName().equals(except) && !c.getName().startsWith(except + "$")))
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are the machine's", (JavaClass c) -> MACHINE.contains(c.getName())))
        .orShould()
        .callCodeUnitWhere(target(impureCall()))
        .allowEmptyShould(true)
        .because("a simulation runs the same loop in virtual time");
  }

  static ArchRule rule(String packages) {
    return noClasses()
        .that()
        .resideInAPackage(packages)
        .should()
        .dependOnClassesThat(impureClass())
        .orShould()
        .callCodeUnitWhere(target(impureCall()))
        .allowEmptyShould(true)
        .because("a decision must be the same for the same input");
  }

  private static DescribedPredicate<JavaClass> impureClass() {
    return resideInAnyPackage("java.nio.file..", "java.net..", "java.util.concurrent.locks..")
        .or(
            DescribedPredicate.describe(
                "that are impure",
                c ->
                    IMPURE_CLASSES.contains(c.getName())
                        // Records and enums touch these two packages by themselves.
                        || (c.getPackageName().equals("java.io")
                            && !Set.of("Serializable", "PrintStream").contains(c.getSimpleName()))
                        || (c.getPackageName().equals("java.util.concurrent")
                            && c.getSimpleName().contains("Executor"))));
  }

  private static DescribedPredicate<CodeUnitCallTarget> impureCall() {
    return DescribedPredicate.describe(
        "an impure method", target -> IMPURE_CALLS.contains(target.getFullName()));
  }
}

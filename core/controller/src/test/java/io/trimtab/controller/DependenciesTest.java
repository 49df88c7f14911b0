package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.AutopilotPolicy;
import io.trimtab.controller.policy.Met1Policy;
import io.trimtab.controller.policy.MetPolicy;
import io.trimtab.controller.policy.SloPolicy;
import io.trimtab.controller.policy.TiramolaPolicy;
import io.trimtab.controller.policy.UsagePolicy;
import io.trimtab.engineapi.Ownership;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which classes name which, by what is compiled. */
class DependenciesTest {
  private static final List<Class<?>> POLICIES =
      List.of(
          Met1Policy.class,
          MetPolicy.class,
          AutopilotPolicy.class,
          TiramolaPolicy.class,
          UsagePolicy.class,
          SloPolicy.class);

  /** Class files by the simple name of their outermost class. */
  private static TreeMap<String, List<String>> classFiles() {
    try {
      Path root =
          Path.of(Met1Policy.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      TreeMap<String, List<String>> texts = new TreeMap<>();
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
          String name = file.getFileName().toString().replaceFirst("[$.].*", "");
          String text = Files.readString(file, StandardCharsets.ISO_8859_1);
          texts.merge(
              name, List.of(text), (a, b) -> Stream.of(a, b).flatMap(List::stream).toList());
        }
      }
      return texts;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Set<String> usersOf(Class<?> used) {
    return users(used, text -> true);
  }

  private static Set<String> users(Class<?> used, Predicate<String> how) {
    String name = used.getName().replace('.', '/');
    Set<String> users = new TreeSet<>();
    classFiles()
        .forEach(
            (user, texts) -> {
              if (!user.equals(used.getSimpleName())
                  && texts.stream().anyMatch(text -> text.contains(name) && how.test(text))) {
                users.add(user);
              }
            });
    return users;
  }

  @Test
  void noPolicyUsesAnotherPolicy() {
    for (Class<?> policy : POLICIES) {
      assertThat(usersOf(policy))
          .as("users of %s", policy.getSimpleName())
          .isNotEmpty()
          .doesNotContainAnyElementsOf(POLICIES.stream().map(Class::getSimpleName).toList());
    }
  }

  @Test
  void ownershipIsToldApartInOnePlace() {
    // Others may hand it on, and then name no value of it.
    Predicate<String> byValue =
        text -> Stream.of(Ownership.values()).anyMatch(value -> text.contains(value.name()));
    assertThat(users(Ownership.class, byValue)).containsExactly("PlacementModel");
  }
}

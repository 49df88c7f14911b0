package io.trimtab.providers;

import io.trimtab.engineapi.NodeProvider;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The registry of kinds: what {@code ServiceLoader} finds on the class path. */
public final class Providers {
  private static final List<ProviderKind> ALL =
      ServiceLoader.load(ProviderKind.class, Providers.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .toList();

  private Providers() {}

  /** The provider of a section, for a cluster. */
  public static NodeProvider of(ProviderSection section, ProviderContext context) {
    return section.settings().provider(context);
  }

  /**
   * The kind of a name.
   *
   * @throws IllegalArgumentException naming all kinds if there is none
   */
  static ProviderKind named(String name) {
    return ALL.stream()
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("is no kind of provider; known: " + names()));
  }

  /** The names of all kinds, for messages. */
  static String names() {
    return ALL.stream().map(ProviderKind::name).sorted().collect(Collectors.joining(", "));
  }
}

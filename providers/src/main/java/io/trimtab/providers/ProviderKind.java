package io.trimtab.providers;

/**
 * A kind of provider. Implementations are listed in {@code META-INF/services} and have a public
 * constructor without parameters.
 */
public interface ProviderKind {

  /** The name in settings files: {@code exec}. */
  String name();

  /** The record that its settings are read into. */
  Class<? extends ProviderSettings> settings();
}

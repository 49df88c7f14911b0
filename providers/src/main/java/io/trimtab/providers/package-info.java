/**
 * Node providers: who starts and stops the machines of a cluster. Each kind has a package of its
 * own and registers a {@link io.trimtab.providers.ProviderKind} with {@code ServiceLoader}; a
 * settings file chooses among them by name.
 */
package io.trimtab.providers;

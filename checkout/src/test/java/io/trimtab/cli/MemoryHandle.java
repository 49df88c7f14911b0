package io.trimtab.cli;

import io.trimtab.clikit.ClusterHandle;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** A cluster in memory as commands see one: in the time of the machine, because they are. */
public record MemoryHandle(String label, InMemoryCluster cluster) implements ClusterHandle {
  @Override
  public Engine connect() {
    return (Engine)
        Proxy.newProxyInstance(
            Engine.class.getClassLoader(),
            new Class<?>[] {Engine.class},
            (proxy, verb, arguments) -> {
              cluster.clock().advanceTo(Instant.now());
              try {
                return verb.invoke(cluster.engine(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public Optional<NodeProvider> provider(Consumer<String> notices) {
    return Optional.of(cluster.provider());
  }
}

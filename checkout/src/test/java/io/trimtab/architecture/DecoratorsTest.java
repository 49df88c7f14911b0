package io.trimtab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.metrics.MetricSource;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What is laid over a port passes on every call, also of those methods that a port has a default
 * for: the default would answer in place of the engine or the provider beneath. A class that has
 * another of its own port in a field is taken to be laid over it.
 */
final class DecoratorsTest {
  private static final List<Class<?>> PORTS =
      List.of(Engine.class, NodeProvider.class, MetricSource.class);

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.trimtab");

  @Test
  void noneLeavesAMethodToItsDefault() {
    Map<String, List<String>> left = new TreeMap<>();
    for (Class<?> port : PORTS) {
      for (JavaClass decorator : over(port)) {
        left.put(decorator.getSimpleName(), leftToDefault(port, decorator.reflect()));
      }
    }
    assertThat(left)
        .containsKeys(
            "HeldEngine", "HeldProvider", "MeteredEngine", "WatchedEngine", "WatchedProvider")
        .allSatisfy((name, methods) -> assertThat(methods).as(name).isEmpty());
  }

  private static List<JavaClass> over(Class<?> port) {
    return MAIN.stream()
        .filter(c -> !c.isInterface() && c.isAssignableTo(port))
        .filter(c -> c.getAllFields().stream().anyMatch(f -> f.getRawType().isAssignableTo(port)))
        .toList();
  }

  private static List<String> leftToDefault(Class<?> port, Class<?> decorator) {
    List<String> left = new ArrayList<>();
    for (Method method : port.getMethods()) {
      if (method.isDefault() && declaring(method, decorator).isInterface()) {
        left.add(method.getName() + Arrays.toString(method.getParameterTypes()));
      }
    }
    return left;
  }

  private static Class<?> declaring(Method method, Class<?> decorator) {
    try {
      return decorator.getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass();
    } catch (NoSuchMethodException e) {
      throw new AssertionError(decorator + " has not what its port has", e);
    }
  }

  @Test
  void oneThatForgetsAMethodIsFound() {
    assertThat(leftToDefault(NodeProvider.class, Forgetful.class))
        .hasSize(4)
        .anyMatch(method -> method.startsWith("withdraw["))
        .anyMatch(method -> method.startsWith("release["))
        .anyMatch(method -> method.startsWith("capacity["))
        .anyMatch(method -> method.startsWith("machines["));
  }

  /** Has one of the five that have a default; what has none need not be there to find that. */
  private abstract static class Forgetful implements NodeProvider {
    @Override
    public NodeCapacity offer() {
      return NodeCapacity.of(spare());
    }
  }
}

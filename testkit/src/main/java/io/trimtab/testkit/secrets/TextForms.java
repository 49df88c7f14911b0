package io.trimtab.testkit.secrets;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What all objects that one leads to say of themselves, as a log or a debugger shows them. Strings,
 * and what only contains others, are part of whose field they are.
 *
 * @param classes names of the classes of all of them
 * @param showing names of the classes of those that have a secret in their text form
 */
public record TextForms(Set<String> classes, Set<String> showing) {
  /** Into whose fields is looked: the project's, and those of what holds secrets for it. */
  private static final List<String> OPEN =
      List.of(
          "io.trimtab.",
          "io.fabric8.",
          "software.amazon.awssdk.",
          "com.datastax.oss.driver.",
          "org.apache.hadoop.hbase.",
          "org.apache.zookeeper.");

  public static TextForms of(Object root, Collection<String> secrets) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<String> classes = new TreeSet<>();
    Set<String> showing = new TreeSet<>();
    Deque<Object> left = new ArrayDeque<>(List.of(root));
    while (!left.isEmpty()) {
      Object next = left.remove();
      if (next instanceof CharSequence || !seen.add(next)) {
        continue;
      }
      Optional<Collection<?>> contained = contained(next);
      if (contained.isEmpty()) {
        String form = form(next);
        classes.add(next.getClass().getName());
        if (secrets.stream().anyMatch(form::contains)) {
          showing.add(next.getClass().getName());
        }
      }
      for (Object inner : contained.orElseGet(() -> fields(next))) {
        if (inner != null) {
          left.add(inner);
        }
      }
    }
    return new TextForms(classes, showing);
  }

  /** One that fails shows nothing. */
  private static String form(Object object) {
    try {
      return Objects.requireNonNullElse(object.toString(), "");
    } catch (RuntimeException e) {
      return "";
    }
  }

  /** Empty of what is no container. Copies, because what is open is changed by other threads. */
  private static Optional<Collection<?>> contained(Object object) {
    if (object instanceof Collection<?> several) {
      return Optional.of(copy(several));
    }
    if (object instanceof Map<?, ?> map) {
      return Optional.of(Arrays.asList(map.keySet(), map.values()));
    }
    if (object instanceof Optional<?> maybe) {
      return Optional.of(maybe.stream().toList());
    }
    if (object instanceof AtomicReference<?> reference) {
      return Optional.of(Arrays.asList(reference.get()));
    }
    if (object instanceof Object[] array) {
      return Optional.of(Arrays.asList(array));
    }
    return Optional.empty();
  }

  private static List<Object> copy(Collection<?> several) {
    try {
      return new ArrayList<>(several);
    } catch (UnsupportedOperationException e) {
      // HBase has some that can only be iterated over; those are made for several threads.
      List<Object> copy = new ArrayList<>();
      several.forEach(copy::add);
      return copy;
    }
  }

  private static Collection<?> fields(Object object) {
    List<Object> values = new ArrayList<>();
    Class<?> type = object.getClass();
    while (type != null && OPEN.stream().anyMatch(type.getName()::startsWith)) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          values.add(value(field, object));
        }
      }
      type = type.getSuperclass();
    }
    return values;
  }

  private static Object value(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new AssertionError(field.toString(), e);
    }
  }
}

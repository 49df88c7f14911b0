package io.trimtab.engineapi.snapshot;

import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.function.Function;

/**
 * An immutable list with constant-time lookup of an element by its key. It is equal to any list of
 * the same elements, and is serialised as a list. If several elements have the same key, the first
 * is found.
 */
final class IndexedList<K, E> extends AbstractList<E> implements RandomAccess {
  private final List<E> all;
  private final Function<E, K> key;

  /** Built on the first lookup; two concurrent first lookups may both build it. */
  private volatile Map<K, E> index;

  private IndexedList(List<E> all, Function<E, K> key) {
    this.all = all;
    this.key = key;
  }

  /** A copy of the list, or the list itself if it is immutable. */
  static <K, E> IndexedList<K, E> of(List<E> list, Function<E, K> key) {
    return new IndexedList<>(
        list instanceof IndexedList<?, E> same ? same.all : List.copyOf(list), key);
  }

  /** The element with the key, in a list made by {@link #of} with the same kind of key. */
  @SuppressWarnings("unchecked")
  static <K, E> Optional<E> find(List<E> list, K lookupKey) {
    return ((IndexedList<K, E>) list).find(lookupKey);
  }

  private Optional<E> find(K lookupKey) {
    Map<K, E> known = index;
    if (known == null) {
      known = new HashMap<>(2 * all.size());
      for (E e : all) {
        known.putIfAbsent(key.apply(e), e);
      }
      index = known;
    }
    return Optional.ofNullable(known.get(lookupKey));
  }

  @Override
  public E get(int i) {
    return all.get(i);
  }

  @Override
  public int size() {
    return all.size();
  }
}

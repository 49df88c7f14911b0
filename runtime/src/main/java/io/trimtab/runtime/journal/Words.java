package io.trimtab.runtime.journal;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Enums that have a name in files. */
final class Words {
  private Words() {}

  /**
   * The value with this name.
   *
   * @param what kind of name, as "a plan's outcome"
   * @throws IllegalArgumentException if there is none, naming the word
   */
  static <E extends Enum<E>> E find(E[] values, String word, String what) {
    return Arrays.stream(values)
        .filter(value -> value.toString().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "\"%s\" is not %s that this version knows: %s"
                        .formatted(
                            word,
                            what,
                            Arrays.stream(values)
                                .map(Enum::toString)
                                .collect(Collectors.joining(", ")))));
  }
}

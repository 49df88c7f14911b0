package io.trimtab.runtime.journal;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Enums that files name by their words. */
final class Words {
  private Words() {}

  /**
   * @param what the word should be, as "a plan's outcome"
   * @throws IllegalArgumentException naming the word, where no value has it
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

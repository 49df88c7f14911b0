package io.trimtab.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Takes secrets out of the words of others before they are shown: a server may repeat what it was
 * sent.
 */
public final class Redaction {
  private static final String SHOWN = "(secret)";

  /** A shorter one is in many words by chance: the gaps would tell it, and garble them. */
  private static final int LENGTH_MIN = 4;

  private final List<String> secrets;

  public Redaction(Collection<String> secrets) {
    // The longest first: another may be a part of it.
    this.secrets =
        secrets.stream()
            .filter(secret -> !secret.isEmpty())
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /** A text without the secrets; nothing of it where one that is very short is in it. */
  public String in(String text) {
    String shown = text;
    for (String secret : secrets) {
      if (secret.length() < LENGTH_MIN && shown.contains(secret)) {
        return SHOWN;
      }
      shown = shown.replace(secret, SHOWN);
    }
    return shown;
  }

  /**
   * Where an answer is no JSON. What the parser says quotes the answer up to some letter, and of a
   * part of a secret nobody can tell that it is one.
   */
  public static String place(JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    return at == null ? "" : " (line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr());
  }

  /** Shows nothing. */
  @Override
  public String toString() {
    return SHOWN;
  }
}

package io.trimtab.formats;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Formats settings as in a settings file. */
public final class SettingsText {
  private static final String INDENT = "  ";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_./-]*");

  private SettingsText() {}

  /** A record's components, one line each; nested records are indented. */
  public static String of(Object settings) {
    StringBuilder text = new StringBuilder();
    append(text, settings, INDENT);
    return text.toString().stripTrailing();
  }

  private static void append(StringBuilder text, Object settings, String indent) {
    for (RecordComponent component : settings.getClass().getRecordComponents()) {
      Object value = value(settings, component);
      if (value == null) {
        continue;
      }
      text.append(indent).append(component.getName()).append(':');
      if (value instanceof List<?> list && list.stream().anyMatch(Record.class::isInstance)) {
        text.append('\n');
        for (Object item : list) {
          int from = text.length();
          append(text, item, indent + INDENT + INDENT);
          text.replace(from, from + indent.length() + 4, indent + INDENT + "- ");
        }
      } else if (value instanceof Map<?, ?> map
          && map.values().stream().anyMatch(Record.class::isInstance)) {
        text.append('\n');
        map.forEach(
            (name, item) -> {
              text.append(indent).append(INDENT).append(name).append(":\n");
              append(text, item, indent + INDENT + INDENT);
            });
      } else if (value instanceof Record && !isScalar(value)) {
        text.append('\n');
        append(text, value, indent + INDENT);
      } else {
        text.append(' ').append(scalar(value)).append('\n');
      }
    }
  }

  private static boolean isScalar(Object value) {
    return value instanceof io.trimtab.config.Bytes
        || value instanceof io.trimtab.engineapi.Profile;
  }

  private static Object value(Object settings, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(settings);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a setting can't be read: " + component.getName(), e);
    }
  }

  private static String scalar(Object value) {
    if (value instanceof Duration time) {
      return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    } else if (value instanceof io.trimtab.engineapi.Profile profile) {
      return profile.name();
    } else if (value instanceof io.trimtab.controller.policy.Policy policy) {
      return policy.name();
    } else if (value instanceof Enum<?> word) {
      return word.name().toLowerCase(Locale.ROOT);
    } else if (value instanceof List<?> list) {
      return list.stream().map(SettingsText::item).collect(Collectors.joining(", ", "[", "]"));
    }
    return String.valueOf(value);
  }

  /** In a list YAML gives a meaning to characters that patterns and times have. */
  private static String item(Object value) {
    String text = scalar(value);
    return value instanceof String && !PLAIN.matcher(text).matches()
        ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"'
        : text;
  }
}

package io.trimtab.providers;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The section of a file that describes a provider: its kind as the only key, with the settings of
 * that kind: {@code exec: {program: ./nodes.py}}. Any record that is read with {@link
 * io.trimtab.config.StrictYaml} can have one.
 */
@JsonDeserialize(using = ProviderSection.Reader.class)
public record ProviderSection(String kind, ProviderSettings settings) {

  /** The same with paths resolved against the folder of the file that it was read from. */
  public ProviderSection in(Path folder) {
    return new ProviderSection(kind, settings.in(folder));
  }

  /** Errors keep the path of their key, by which their line is found. */
  static final class Reader extends StdDeserializer<ProviderSection> {
    private static final long serialVersionUID = 1L;

    Reader() {
      super(ProviderSection.class);
    }

    @Override
    public ProviderSection deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      if (parser.hasToken(JsonToken.START_OBJECT)) {
        parser.nextToken();
      }
      if (!parser.hasToken(JsonToken.FIELD_NAME)) {
        throw wrong(parser, "must have one key, a kind of provider: " + Providers.names());
      }
      String kind = parser.currentName();
      ProviderSettings settings;
      try {
        Class<? extends ProviderSettings> type = known(parser, kind).settings();
        if (!parser.nextToken().isStructStart()) {
          throw wrong(parser, "must be a group of keys; {} if there are none");
        }
        settings = context.readValue(parser, type);
      } catch (JsonMappingException e) {
        throw JsonMappingException.wrapWithPath(e, ProviderSection.class, kind);
      }
      if (parser.nextToken() != JsonToken.END_OBJECT) {
        throw wrong(parser, "must have one key, and has " + kind + " and others");
      }
      return new ProviderSection(kind, settings);
    }

    private static ProviderKind known(JsonParser parser, String kind) throws IOException {
      try {
        return Providers.named(kind);
      } catch (IllegalArgumentException e) {
        throw JsonMappingException.from(parser, e.getMessage(), e);
      }
    }

    private static JsonMappingException wrong(JsonParser parser, String problem) {
      return JsonMappingException.from(parser, problem, new IllegalArgumentException(problem));
    }
  }
}

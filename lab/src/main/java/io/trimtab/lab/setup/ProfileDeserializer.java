package io.trimtab.lab.setup;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import io.trimtab.engineapi.Profile;
import java.io.IOException;
import java.util.stream.Collectors;

/** A profile is the name of a standard one, or its four values. */
public final class ProfileDeserializer extends StdDeserializer<Profile> {
  private static final long serialVersionUID = 1L;

  ProfileDeserializer() {
    super(Profile.class);
  }

  @Override
  public Profile deserialize(JsonParser p, DeserializationContext context) throws IOException {
    if (p.currentToken() != JsonToken.VALUE_STRING) {
      return context.readValue(p, Profile.class);
    }
    String name = p.getText();
    for (Profile profile : Profile.STANDARD) {
      if (profile.name().equalsIgnoreCase(name)) {
        return profile;
      }
    }
    String known = Profile.STANDARD.stream().map(Profile::name).collect(Collectors.joining(", "));
    throw context.weirdStringException(
        name, Profile.class, "unknown profile '" + name + "'; known are " + known);
  }
}

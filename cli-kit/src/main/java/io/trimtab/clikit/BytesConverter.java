package io.trimtab.clikit;

import io.trimtab.config.Bytes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes with a unit, as in configuration files. */
public final class BytesConverter implements ITypeConverter<Bytes> {
  @Override
  public Bytes convert(String value) {
    try {
      return Bytes.parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}

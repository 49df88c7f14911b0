package io.trimtab.config;

import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Map;
import java.util.Optional;

/** Says why a file can't be used: of many exceptions the message is the file's name only. */
public final class FileProblem {
  private static final Map<Class<? extends Exception>, String> KNOWN =
      Map.of(
          AccessDeniedException.class, "no permission",
          NoSuchFileException.class, "no such file or folder",
          FileAlreadyExistsException.class, "it exists already",
          NotDirectoryException.class, "it is no folder",
          DirectoryNotEmptyException.class, "it is not empty");

  private FileProblem() {}

  /**
   * @param e what reading, writing or another use of a file has thrown
   * @return a clause without the file's name
   */
  public static String of(Exception e) {
    String known = KNOWN.get(e.getClass());
    if (known != null) {
      return known;
    }
    if (e instanceof CharacterCodingException) {
      return "it is not UTF-8 text";
    }
    if (e instanceof FileSystemException other && other.getReason() != null) {
      return other.getReason();
    }
    return Optional.ofNullable(e.getMessage()).orElseGet(() -> e.getClass().getSimpleName());
  }
}

package io.trimtab.clikit;

import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;

/** Where classes of this program are that another JVM is to load. */
public final class ClassFiles {
  private ClassFiles() {}

  /**
   * The jar, or folder, that has a class.
   *
   * @param type its full name; it is not loaded, since what it needs may not be here
   * @throws UserError if no file has it
   */
  public static Path of(String type) {
    String name = type.replace('.', '/') + ".class";
    URL found = ClassFiles.class.getClassLoader().getResource(name);
    try {
      if (found == null) {
        throw new UserError("no file of this program has the class " + type);
      }
      if (found.openConnection() instanceof JarURLConnection jar) {
        return Path.of(jar.getJarFileURL().toURI());
      }
      // A folder of classes; its depth follows from the class name.
      Path folder = Path.of(found.toURI());
      for (int depth = Path.of(name).getNameCount(); depth > 0; depth--) {
        folder = folder.getParent();
      }
      return folder;
    } catch (IOException | URISyntaxException e) {
      throw new UserError(found + ": can't be read: " + FileProblem.of(e), e);
    }
  }
}

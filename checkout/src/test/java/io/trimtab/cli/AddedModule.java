package io.trimtab.cli;

import io.trimtab.clikit.CommandModule;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A module of commands, and a home folder, that only this thread's commands see, until it is
 * closed: the other tests are about the databases that there are.
 */
public final class AddedModule implements AutoCloseable {
  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  /**
   * @param folder of the test, for the home folder and the list of modules
   */
  public AddedModule(Class<? extends CommandModule> module, Path folder) throws IOException {
    System.setProperty("trimtab.home", folder.resolve("home").toString());
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(CommandModule.class.getName()), module.getName() + "\n");
    Thread.currentThread().setContextClassLoader(loader(module, folder));
  }

  private static ClassLoader loader(Class<?> module, Path folder) throws MalformedURLException {
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}, module.getClassLoader());
  }

  /** The module is not seen from here on; the home folder stays. */
  public void hide() {
    Thread.currentThread().setContextClassLoader(before);
  }

  @Override
  public void close() {
    hide();
    System.clearProperty("trimtab.home");
  }
}

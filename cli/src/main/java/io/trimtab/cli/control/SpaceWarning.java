package io.trimtab.cli.control;

import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import io.trimtab.controller.guard.UncheckedSpace;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.journal.Entry;
import java.util.List;
import java.util.Optional;

/** On which nodes the autopilot does not check the disks' free space. */
final class SpaceWarning {
  private SpaceWarning() {}

  /**
   * By the settings of the controller that was in charge last.
   *
   * @param journal of this host; where it names no settings, they are the defaults
   */
  static Optional<String> of(ClusterSnapshot seen, List<Entry> journal) {
    return UncheckedSpace.of(seen, settings(journal).guard());
  }

  private static Settings settings(List<Entry> journal) {
    String text = "";
    for (Entry entry : journal) {
      // What a person ordered may have none.
      if (entry instanceof Entry.Took took && !took.settings().isEmpty()) {
        text = took.settings();
      }
    }
    try {
      return text.isEmpty()
          ? Settings.defaults()
          : StrictYaml.parse("the journal's settings", text, Settings.class);
    } catch (UserError e) {
      // Another version may have written them.
      return Settings.defaults();
    }
  }
}

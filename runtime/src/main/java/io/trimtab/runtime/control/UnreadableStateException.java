package io.trimtab.runtime.control;

import io.trimtab.engineapi.EngineException;

/** What an earlier controller left with the cluster can't be read; nothing was changed. */
public final class UnreadableStateException extends EngineException {
  private static final long serialVersionUID = 1L;

  UnreadableStateException(String document, String why) {
    super(text(document, why));
  }

  UnreadableStateException(String document, String why, Throwable cause) {
    super(text(document, why), cause);
  }

  private static String text(String document, String why) {
    return "the document '"
        + document
        + "' that an earlier controller left with the cluster can't be read: "
        + why
        + "; use the version that wrote it, or discard it: trimtab run --act --abandon";
  }
}

package io.trimtab.engineapi;

/** A document that the cluster keeps for controllers is not as it was written. */
public final class DamagedDocumentException extends EngineException {
  private static final long serialVersionUID = 1L;

  private final String damage;

  /**
   * @param damage what is wrong with it: "its checksum is wrong"
   */
  public DamagedDocumentException(String document, String damage) {
    super("the controllers' document '" + document + "' in the cluster is damaged: " + damage);
    this.damage = damage;
  }

  public String damage() {
    return damage;
  }
}

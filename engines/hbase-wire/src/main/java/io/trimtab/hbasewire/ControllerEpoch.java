package io.trimtab.hbasewire;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

/**
 * The epoch of the controller that sends a request which changes something. A controller that takes
 * over has a greater one than those before it, so that a server can refuse what an earlier one
 * still sends. A plug-in of an earlier version skips it, and then refuses nothing.
 */
public final class ControllerEpoch {
  /** Of a request that states none. */
  public static final long NONE = 0;

  static final String FIELD = "epoch";

  private ControllerEpoch() {}

  /**
   * The request with an epoch.
   *
   * @param epoch ≥ 0; {@link #NONE} leaves the request as it is
   * @throws IllegalArgumentException for a negative epoch, or a request that has no room for one
   */
  public static Message on(Message request, long epoch) {
    if (epoch < 0) {
      throw new IllegalArgumentException("an epoch must be ≥ 0, not " + epoch);
    }
    if (epoch == NONE) {
      return request;
    }
    FieldDescriptor field = request.getDescriptorForType().findFieldByName(FIELD);
    if (field == null) {
      throw new IllegalArgumentException(
          request.getDescriptorForType().getName() + " changes nothing and has no epoch");
    }
    return request.toBuilder().setField(field, epoch).build();
  }

  /** A request's epoch as it was sent; {@link #NONE} where none was. */
  public static long of(Message request) {
    FieldDescriptor field = request.getDescriptorForType().findFieldByName(FIELD);
    return field == null ? NONE : (Long) request.getField(field);
  }
}

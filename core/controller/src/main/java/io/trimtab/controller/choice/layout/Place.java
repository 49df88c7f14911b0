package io.trimtab.controller.choice.layout;

import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.choice.predict.Memory;
import io.trimtab.controller.place.IntList;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;

/** A node of a layout, with what is on it. */
final class Place {
  final NodeId name;
  Profile profile;
  boolean present = true;

  /** Share of its time that counts as given back. */
  double given;

  IntList items = new IntList();
  Demand held = Demand.NONE;
  double worth;
  Forecast forecast = Forecast.of(0, 0);

  /** How its memory was split when its usage was predicted. */
  Memory memory;

  /** How many times as much as plain LRU its cache misses, by what was on it at that time. */
  double missFactor = 1;

  /** Whether something else is on it since. */
  boolean changed;

  Place(NodeId name, Profile profile) {
    this.name = name;
    this.profile = profile;
  }

  void put(int item, Demand its, double itsWorth) {
    items.add(item);
    held = held.plus(its);
    worth += itsWorth;
  }

  void take(int item, Demand its, double itsWorth) {
    items.removeFirst(item);
    held = items.size() == 0 ? Demand.NONE : held.minus(its);
    worth -= itsWorth;
  }

  Place copy() {
    Place copy = new Place(name, profile);
    copy.present = present;
    copy.given = given;
    copy.items = items.copy();
    copy.held = held;
    copy.worth = worth;
    copy.forecast = forecast;
    copy.memory = memory;
    copy.missFactor = missFactor;
    copy.changed = changed;
    return copy;
  }
}

/** Nodes that can't be read or are slower than their peers, and what is decided without them. */
package io.trimtab.controller.health;

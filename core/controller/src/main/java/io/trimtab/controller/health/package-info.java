/** Nodes that can't be read, are slower than their peers or used to their limit. */
package io.trimtab.controller.health;

/** The addresses and ports of labs, and how a lab gets its own. */
package io.trimtab.lab.slot;

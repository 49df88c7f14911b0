/** Jolokia agents in the nodes' processes. */
package io.trimtab.sources.jolokia;

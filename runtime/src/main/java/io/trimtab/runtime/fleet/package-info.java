/** What the clusters of a fleet must know of each other. */
package io.trimtab.runtime.fleet;

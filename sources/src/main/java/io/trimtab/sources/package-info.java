/** Metrics of nodes from elsewhere than the database, laid over its snapshots. */
package io.trimtab.sources;

/** What others than the database tell of nodes. */
package io.trimtab.engineapi.metrics;

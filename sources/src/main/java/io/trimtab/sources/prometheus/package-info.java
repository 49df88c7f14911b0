/** Prometheus, by its HTTP API. */
package io.trimtab.sources.prometheus;

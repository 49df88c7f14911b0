/** What nodes do beside serving. */
package io.trimtab.cassandra.maintenance;

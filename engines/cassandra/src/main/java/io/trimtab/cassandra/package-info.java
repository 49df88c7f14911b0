/** The Cassandra engine: snapshots and verbs over CQL and JMX. */
package io.trimtab.cassandra;

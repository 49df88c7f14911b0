/** How sessions of Cassandra's driver are made: its options, users and TLS. */
package io.trimtab.cassandra.cql;

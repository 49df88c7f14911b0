/** Cassandra's driver: how its sessions are made, and changes of the schema through one. */
package io.trimtab.cassandra.cql;

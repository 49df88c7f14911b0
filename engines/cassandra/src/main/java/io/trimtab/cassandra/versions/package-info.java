/** Which versions of Cassandra are driven. */
package io.trimtab.cassandra.versions;

/** Whether a connection has all that a controller needs. */
package io.trimtab.cassandra.check;

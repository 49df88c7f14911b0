/** What Cassandra tells of response times. */
package io.trimtab.cassandra.times;

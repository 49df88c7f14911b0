/** Time limits for JMX. */
package io.trimtab.cassandra.jmx;

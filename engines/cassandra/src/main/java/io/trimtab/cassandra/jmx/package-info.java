/** JMX over RMI as a client can trust it: time limits, addresses, TLS, what answers are made of. */
package io.trimtab.cassandra.jmx;

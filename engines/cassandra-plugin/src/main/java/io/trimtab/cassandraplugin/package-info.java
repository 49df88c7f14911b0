/** What is loaded into Cassandra: the order in which a read's replicas are asked. */
package io.trimtab.cassandraplugin;

/** Virtual tables in which a node shows how it ranks replicas. */
package io.trimtab.cassandraplugin.tables;

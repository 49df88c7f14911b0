/** The plug-in that ranks the replicas of reads, as it is seen and set on the nodes of a ring. */
package io.trimtab.cassandra.ranking;

/** What the controller keeps in the cluster's ZooKeeper: its lock, and which servers it emptied. */
package io.trimtab.hbase.zookeeper;

/** What coordinators with the plug-in tell of replicas. */
package io.trimtab.cassandra.views;

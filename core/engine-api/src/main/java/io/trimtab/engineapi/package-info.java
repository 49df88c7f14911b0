/**
 * The vocabulary that every module shares: snapshots, actions, plans, and the ports to a cluster.
 */
package io.trimtab.engineapi;

/** The types that all modules share: snapshots, actions, plans, and the ports to a cluster. */
package io.trimtab.engineapi;

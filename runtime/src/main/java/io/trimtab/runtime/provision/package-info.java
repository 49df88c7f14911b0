/** Makes a cluster for an agreement out of machines that a provider starts, and gives them back. */
package io.trimtab.runtime.provision;

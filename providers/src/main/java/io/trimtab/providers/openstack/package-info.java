/** Nodes on servers of OpenStack: Keystone tells who and where, Nova has the servers. */
package io.trimtab.providers.openstack;

/** What requests cost on a cluster's own nodes, learned while these serve. */
package io.trimtab.controller.learn;

/** Nodes on machines of Amazon EC2, or of whatever speaks its API. */
package io.trimtab.providers.ec2;

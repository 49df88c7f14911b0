/** What processes and their share of this machine are doing, as the kernel tells it. */
package io.trimtab.host;

/** A node that is taken out of service for a while, and put back. */
package io.trimtab.runtime.emptied;

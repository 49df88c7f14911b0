/** What is expected of a cluster's load, and for how long. */
package io.trimtab.controller.ahead;

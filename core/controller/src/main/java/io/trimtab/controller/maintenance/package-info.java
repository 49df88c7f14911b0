/** Work of nodes beside serving, since when they do it, and how long it is waited for. */
package io.trimtab.controller.maintenance;

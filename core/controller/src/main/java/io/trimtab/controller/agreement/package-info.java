/** How agreements are kept, and how many nodes they need. */
package io.trimtab.controller.agreement;

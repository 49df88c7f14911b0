/** How fast a plan is carried out, by what its users notice of it. */
package io.trimtab.controller.pace;

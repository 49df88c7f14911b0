/** Whether service level agreements are kept. */
package io.trimtab.controller.agreement;

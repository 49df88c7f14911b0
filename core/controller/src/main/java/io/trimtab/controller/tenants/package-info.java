/** What a change means to each table, so that none pays for another. */
package io.trimtab.controller.tenants;

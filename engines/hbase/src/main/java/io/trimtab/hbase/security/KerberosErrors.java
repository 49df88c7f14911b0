package io.trimtab.hbase.security;

import java.util.LinkedHashMap;
import java.util.Map;

/** What mends what Kerberos complains about. Its messages are numbers and words of RFC 4120. */
public final class KerberosErrors {
  /** Of a login that has found no key or ticket, and may ask nobody for a password. */
  static final String NO_PASSWORD = "Unable to obtain";

  /** Of a ticket cache. */
  static final String NO_TICKET = "no valid ticket";

  private static final Map<String, String> MENDS = new LinkedHashMap<>();

  static {
    MENDS.put("Clock skew", "set this machine's clock by the KDC's, for example by NTP");
    MENDS.put(
        "Client not found",
        "correct kerberos.principal, or create it: kadmin -q 'addprinc -randkey PRINCIPAL'");
    MENDS.put(
        "Server not found",
        "use the host name that the server's principal has: its name service must know it in both"
            + " directions");
    MENDS.put("Pre-authentication", "make a new keytab: kadmin -q 'ktadd -k FILE PRINCIPAL'");
    MENDS.put("Checksum failed", "make a new keytab: kadmin -q 'ktadd -k FILE PRINCIPAL'");
    MENDS.put(
        NO_TICKET, "renew it: kinit -R -c FILE, or get another one: kinit -r 7d -c FILE PRINCIPAL");
    MENDS.put(
        NO_PASSWORD,
        "make a keytab that has kerberos.principal and that this user can read: klist -kt FILE");
    MENDS.put("Cannot locate KDC", "name the realm's KDC in krb5.conf, or set kerberos.krb5");
    MENDS.put("Cannot get kdc for realm", "name the realm's KDC in krb5.conf");
    MENDS.put("timed out", "open the firewall to the KDC named in krb5.conf");
    MENDS.put("Connection refused", "start the KDC named in krb5.conf, or correct its port");
    MENDS.put("Ticket expired", "renew the ticket: kinit -R, or kinit");
    MENDS.put("Failed to find any Kerberos tgt", "get a ticket: kinit, or use a keytab");
    MENDS.put("no such file", "correct kerberos.keytab or kerberos.ticketCache");
  }

  private KerberosErrors() {}

  /** In one line, by the first words of a message that are known. */
  public static String mend(String message) {
    return MENDS.entrySet().stream()
        .filter(known -> message.contains(known.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("check kerberos.principal and the file that proves it with kinit");
  }
}

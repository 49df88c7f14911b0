package io.trimtab.formats;

import io.trimtab.config.UserError;
import io.trimtab.models.capacity.ProvisioningTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Templates of agreements: what a provider's constraints allow a tenant to ask for. */
final class WsTemplate {
  private static final String SCHEMA = "http://www.w3.org/2001/XMLSchema";

  /** Where a constraint's value is, in front of the value's name. */
  private static final String LOCATION = "//tt:";

  /**
   * What a template allows for one of the tenant's values.
   *
   * @param least NaN where it does not matter
   * @param most NaN where it does not matter
   * @param oneOf empty where it does not matter
   */
  private record Constraint(double least, double most, List<String> oneOf) {}

  private WsTemplate() {}

  /** A template that allows what tables were measured for. */
  static String write(String name, List<ProvisioningTable> tables) {
    Document document = Xml.create();
    Element root = Xml.root(document, WsAgreement.NAMESPACE, "wsag:Template");
    root.setAttribute("xmlns:tt", WsAgreement.OURS);
    root.setAttribute("xmlns:xs", SCHEMA);
    root.setAttributeNS(WsAgreement.NAMESPACE, "wsag:TemplateId", name);
    WsAgreement.head(root, name);
    Element all = WsAgreement.wsag(WsAgreement.wsag(root, "Terms"), "All");
    Element description = WsAgreement.wsag(all, "ServiceDescriptionTerm");
    description.setAttributeNS(WsAgreement.NAMESPACE, "wsag:Name", "tenant");
    description.setAttributeNS(WsAgreement.NAMESPACE, "wsag:ServiceName", name);
    Xml.child(description, WsAgreement.OURS, "tt:Tenant");
    Element constraints = WsAgreement.wsag(root, "CreationConstraints");
    Element workload = item(constraints, "Workload");
    tables.stream()
        .flatMap(table -> table.workloads().stream())
        .distinct()
        .sorted()
        .forEach(w -> facet(workload, "enumeration", w));
    Element range = item(constraints, "Clients");
    int fewest = tables.stream().mapToInt(ProvisioningTable::fewestClients).min().orElseThrow();
    int most = tables.stream().mapToInt(ProvisioningTable::mostClients).max().orElseThrow();
    facet(range, "minInclusive", Integer.toString(fewest));
    facet(range, "maxInclusive", Integer.toString(most));
    facet(item(constraints, "MaxNodes"), "minInclusive", "1");
    return Xml.text(document);
  }

  private static Element item(Element constraints, String name) {
    Element item = WsAgreement.wsag(constraints, "Item");
    item.setAttributeNS(WsAgreement.NAMESPACE, "wsag:Name", name);
    WsAgreement.wsag(item, "Location").setTextContent(LOCATION + name);
    return WsAgreement.wsag(item, "ItemConstraint");
  }

  private static void facet(Element constraint, String name, String value) {
    Xml.child(constraint, SCHEMA, "xs:" + name).setAttribute("value", value);
  }

  /**
   * Checks an agreement against a template's constraints.
   *
   * @param name stands for the template in errors
   * @throws UserError with what is not allowed, or with the path of what is wrong in the template
   */
  static void check(Sla sla, String name, String template) {
    Element root = Xml.parse(name, template);
    if (!root.getLocalName().equals("Template")) {
      throw Xml.wrong(name, root, "must be Template");
    }
    Map<String, String> values = WsAgreement.values(sla);
    for (Element part :
        Xml.children(
            name,
            root,
            WsAgreement.NAMESPACE,
            Set.of("Name", "Context", "Terms", "CreationConstraints"))) {
      if (part.getLocalName().equals("CreationConstraints")) {
        for (Element item : Xml.children(name, part, WsAgreement.NAMESPACE, Set.of("Item"))) {
          check(sla, values, name, item);
        }
      }
    }
  }

  private static void check(Sla sla, Map<String, String> values, String name, Element item) {
    String subject = null;
    List<Element> facets = new ArrayList<>();
    for (Element part :
        Xml.children(name, item, WsAgreement.NAMESPACE, Set.of("Location", "ItemConstraint"))) {
      if (part.getLocalName().equals("ItemConstraint")) {
        facets.addAll(
            Xml.children(
                name, part, SCHEMA, Set.of("minInclusive", "maxInclusive", "enumeration")));
      } else {
        String at = Xml.value(part);
        subject = at.startsWith(LOCATION) ? at.substring(LOCATION.length()) : "";
        if (!WsAgreement.TENANT.contains(subject)) {
          throw Xml.wrong(name, part, "must be " + LOCATION + " and one of the tenant's values");
        }
      }
    }
    String value = values.get(subject);
    if (value == null) {
      throw new UserError(sla.name() + ": " + subject + " is missing; the template requires it");
    }
    Constraint allowed = constraint(name, facets);
    boolean number = !Double.isNaN(allowed.least()) || !Double.isNaN(allowed.most());
    double is = number ? number(sla, subject, value) : Double.NaN;
    if (is < allowed.least() || is > allowed.most()) {
      throw new UserError(
          "%s: %s is %s, the template allows %s"
              .formatted(sla.name(), subject, value, range(allowed)));
    }
    if (!allowed.oneOf().isEmpty() && !allowed.oneOf().contains(value)) {
      throw new UserError(
          "%s: %s is %s, the template allows %s"
              .formatted(sla.name(), subject, value, String.join(", ", allowed.oneOf())));
    }
  }

  private static double number(Sla sla, String subject, String value) {
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw new UserError(
          sla.name() + ": " + subject + " is not a number; the template requires one", e);
    }
  }

  private static Constraint constraint(String name, List<Element> facets) {
    double least = Double.NaN;
    double most = Double.NaN;
    List<String> oneOf = new ArrayList<>();
    for (Element facet : facets) {
      String value = facet.getAttribute("value");
      if (facet.getLocalName().equals("enumeration")) {
        oneOf.add(value);
        continue;
      }
      double limit;
      try {
        limit = Double.parseDouble(value);
      } catch (NumberFormatException e) {
        throw Xml.wrong(name, facet, "value must be a number, not '" + value + "'");
      }
      if (facet.getLocalName().equals("minInclusive")) {
        least = limit;
      } else {
        most = limit;
      }
    }
    return new Constraint(least, most, List.copyOf(oneOf));
  }

  private static String range(Constraint allowed) {
    return (Double.isNaN(allowed.least()) ? "" : "at least " + allowed.least())
        + (Double.isNaN(allowed.least()) || Double.isNaN(allowed.most()) ? "" : " and ")
        + (Double.isNaN(allowed.most()) ? "" : "at most " + allowed.most());
  }
}

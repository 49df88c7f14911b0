package io.trimtab.formats;

import io.trimtab.config.ByteRate;
import io.trimtab.config.Bytes;
import io.trimtab.config.Units;
import io.trimtab.config.UserError;
import io.trimtab.models.capacity.ProvisioningTable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Agreements as WS-Agreement XML (GFD.192): a provider publishes a template with constraints, a
 * tenant answers it with an offer, and what is accepted is an agreement (Chalkiadaki 2013, §2.3).
 * What tenants ask for is one service description term in a namespace of our own, and one guarantee
 * term for each objective. Terms of other kinds are rejected, because they would not be enforced.
 */
public final class WsAgreement {
  static final String NAMESPACE = "http://schemas.ggf.org/graap/2007/03/ws-agreement";
  static final String OURS = "urn:trimtab:sla:1";
  private static final String PROVIDER = "AgreementResponder";

  static final Set<String> TENANT =
      Set.of(
          "Table",
          "Workload",
          "DataSize",
          "RowSize",
          "Locality",
          "Reads",
          "Clients",
          "MaxNodes",
          "ClientPrice");
  private static final List<String> OBJECTIVES =
      List.of(
          "p95",
          "p99",
          "responseTime",
          "throughput",
          "reads.p95",
          "reads.p99",
          "reads.responseTime",
          "writes.p95",
          "writes.p99",
          "writes.responseTime");

  /** The documents of an agreement's making. */
  public enum Form {
    OFFER("AgreementOffer"),
    AGREEMENT("Agreement");

    private final String element;

    Form(String element) {
      this.element = element;
    }
  }

  private WsAgreement() {}

  /** An agreement, or an offer of one. */
  public static String write(Sla sla, Form form) {
    Document document = Xml.create();
    Element root = Xml.root(document, NAMESPACE, "wsag:" + form.element);
    root.setAttribute("xmlns:tt", OURS);
    if (form == Form.AGREEMENT) {
      root.setAttributeNS(NAMESPACE, "wsag:AgreementId", sla.name());
    }
    head(root, sla.name());
    Element all = wsag(wsag(root, "Terms"), "All");
    Element description = wsag(all, "ServiceDescriptionTerm");
    description.setAttributeNS(NAMESPACE, "wsag:Name", "tenant");
    description.setAttributeNS(NAMESPACE, "wsag:ServiceName", sla.name());
    Element tenant = Xml.child(description, OURS, "tt:Tenant");
    values(sla)
        .forEach((name, value) -> Xml.child(tenant, OURS, "tt:" + name).setTextContent(value));
    objectives(sla).forEach((name, target) -> guarantee(all, sla.name(), name, target));
    return Xml.text(document);
  }

  /**
   * A template that allows what tables were measured for.
   *
   * @param tables at least one, which may be of the same workload
   */
  public static String template(String name, List<ProvisioningTable> tables) {
    return WsTemplate.write(name, tables);
  }

  /**
   * Checks an agreement against a template's constraints.
   *
   * @param name stands for the template in errors
   * @throws UserError with what is not allowed, or with the path of what is wrong in the template
   */
  public static void check(Sla sla, String name, String template) {
    WsTemplate.check(sla, name, template);
  }

  static void head(Element root, String name) {
    wsag(root, "Name").setTextContent(name);
    Element context = wsag(root, "Context");
    wsag(context, "ServiceProvider").setTextContent(PROVIDER);
  }

  static Element wsag(Element parent, String name) {
    return Xml.child(parent, NAMESPACE, "wsag:" + name);
  }

  private static void guarantee(Element all, String service, String name, String target) {
    Element term = wsag(all, "GuaranteeTerm");
    term.setAttributeNS(NAMESPACE, "wsag:Name", name);
    term.setAttributeNS(NAMESPACE, "wsag:Obligated", "ServiceProvider");
    wsag(term, "ServiceScope").setAttributeNS(NAMESPACE, "wsag:ServiceName", service);
    Element kpi = wsag(wsag(term, "ServiceLevelObjective"), "KPITarget");
    wsag(kpi, "KPIName").setTextContent(name);
    wsag(kpi, "Target").setTextContent(target);
  }

  static Map<String, String> values(Sla sla) {
    Map<String, String> values = new LinkedHashMap<>();
    put(values, "Table", sla.table());
    put(values, "Workload", sla.workload());
    put(values, "DataSize", sla.dataSize());
    put(values, "RowSize", sla.rowSize());
    put(values, "Locality", sla.locality() == null ? null : sla.locality().key());
    put(values, "Reads", sla.reads());
    put(values, "Clients", sla.clients());
    put(values, "MaxNodes", sla.maxNodes());
    put(values, "ClientPrice", sla.clientPrice());
    return values;
  }

  private static Map<String, String> objectives(Sla sla) {
    Map<String, String> targets = new LinkedHashMap<>();
    put(targets, "responseTime", Sla.millisText(sla.objective().responseTime()));
    put(targets, "p95", Sla.millisText(sla.objective().p95()));
    put(targets, "p99", Sla.millisText(sla.objective().p99()));
    put(targets, "throughput", sla.objective().throughput());
    kind(targets, "reads", sla.objective().reads());
    kind(targets, "writes", sla.objective().writes());
    return targets;
  }

  private static void kind(Map<String, String> targets, String name, Sla.KindTargets kind) {
    if (kind != null) {
      put(targets, name + ".responseTime", Sla.millisText(kind.responseTime()));
      put(targets, name + ".p95", Sla.millisText(kind.p95()));
      put(targets, name + ".p99", Sla.millisText(kind.p99()));
    }
  }

  private static Sla.KindTargets kind(String document, Map<String, Element> targets, String name) {
    Duration mean = parsed(document, targets.get(name + ".responseTime"), Units::duration);
    Duration p95 = parsed(document, targets.get(name + ".p95"), Units::duration);
    Duration p99 = parsed(document, targets.get(name + ".p99"), Units::duration);
    return mean == null && p95 == null && p99 == null ? null : new Sla.KindTargets(mean, p95, p99);
  }

  private static void put(Map<String, String> into, String name, Object value) {
    if (value != null) {
      into.put(name, value.toString());
    }
  }

  /**
   * Reads an offer or an agreement.
   *
   * @param name stands for the document in errors
   * @throws UserError with the path of the invalid or unknown element
   */
  public static Sla read(String name, String xml) {
    Element root = Xml.parse(name, xml);
    if (!Set.of(Form.OFFER.element, Form.AGREEMENT.element).contains(root.getLocalName())) {
      throw Xml.wrong(name, root, "must be AgreementOffer or Agreement");
    }
    List<Element> parts = Xml.children(name, root, NAMESPACE, Set.of("Name", "Context", "Terms"));
    String sla = null;
    Map<String, Element> values = new TreeMap<>();
    Map<String, Element> targets = new TreeMap<>();
    for (Element part : parts) {
      switch (part.getLocalName()) {
        case "Name" -> sla = Xml.value(part);
        case "Terms" -> terms(name, part, values, targets);
        default -> provider(name, part);
      }
    }
    try {
      return new Sla(
          sla,
          text(values.get("Table")),
          text(values.get("Workload")),
          parsed(name, values.get("DataSize"), Bytes::parse),
          parsed(name, values.get("RowSize"), Bytes::parse),
          parsed(name, values.get("Locality"), Sla.Locality::of),
          parsed(name, values.get("Reads"), Double::valueOf),
          parsed(name, values.get("Clients"), Integer::valueOf),
          new Sla.Targets(
              parsed(name, targets.get("responseTime"), Units::duration),
              parsed(name, targets.get("p95"), Units::duration),
              parsed(name, targets.get("p99"), Units::duration),
              parsed(name, targets.get("throughput"), ByteRate::parse),
              kind(name, targets, "reads"),
              kind(name, targets, "writes")),
          parsed(name, values.get("MaxNodes"), Integer::valueOf),
          parsed(name, values.get("ClientPrice"), Double::valueOf));
    } catch (IllegalArgumentException e) {
      throw new UserError(name + ": " + e.getMessage(), e);
    }
  }

  /** Who answers for the guarantees must be us. */
  private static void provider(String name, Element context) {
    for (Element child :
        Xml.children(
            name,
            context,
            NAMESPACE,
            Set.of(
                "AgreementInitiator",
                "AgreementResponder",
                "ServiceProvider",
                "TemplateId",
                "TemplateName"))) {
      if (child.getLocalName().equals("ServiceProvider") && !Xml.value(child).equals(PROVIDER)) {
        throw Xml.wrong(name, child, "must be " + PROVIDER + ", not " + Xml.value(child));
      }
    }
  }

  private static void terms(
      String name, Element terms, Map<String, Element> values, Map<String, Element> targets) {
    for (Element all : Xml.children(name, terms, NAMESPACE, Set.of("All"))) {
      for (Element term :
          Xml.children(name, all, NAMESPACE, Set.of("ServiceDescriptionTerm", "GuaranteeTerm"))) {
        if (term.getLocalName().equals("ServiceDescriptionTerm")) {
          for (Element tenant : Xml.children(name, term, OURS, Set.of("Tenant"))) {
            for (Element value : Xml.children(name, tenant, OURS, TENANT)) {
              once(name, values, value.getLocalName(), value);
            }
          }
        } else {
          target(name, term, targets);
        }
      }
    }
  }

  private static void target(String name, Element term, Map<String, Element> targets) {
    for (Element part :
        Xml.children(name, term, NAMESPACE, Set.of("ServiceScope", "ServiceLevelObjective"))) {
      if (part.getLocalName().equals("ServiceScope")) {
        continue;
      }
      for (Element kpi : Xml.children(name, part, NAMESPACE, Set.of("KPITarget"))) {
        Element kind = null;
        Element target = null;
        for (Element child : Xml.children(name, kpi, NAMESPACE, Set.of("KPIName", "Target"))) {
          if (child.getLocalName().equals("KPIName")) {
            kind = child;
          } else {
            target = child;
          }
        }
        if (kind == null || target == null) {
          throw Xml.wrong(name, kpi, "needs a KPIName and a Target");
        }
        if (!OBJECTIVES.contains(Xml.value(kind))) {
          throw Xml.wrong(
              name,
              kind,
              "must be one of " + String.join(", ", OBJECTIVES) + ", not " + Xml.value(kind));
        }
        once(name, targets, Xml.value(kind), target);
      }
    }
  }

  private static void once(String name, Map<String, Element> into, String key, Element value) {
    if (into.put(key, value) != null) {
      throw Xml.wrong(name, value, key + " is given twice");
    }
  }

  private static String text(Element element) {
    return element == null ? null : Xml.value(element);
  }

  private static <T> T parsed(String name, Element element, Function<String, T> parser) {
    if (element == null) {
      return null;
    }
    try {
      return parser.apply(Xml.value(element));
    } catch (NumberFormatException e) {
      throw Xml.wrong(name, element, "must be a number, not '" + Xml.value(element) + "'");
    } catch (IllegalArgumentException e) {
      throw Xml.wrong(name, element, e.getMessage());
    }
  }
}

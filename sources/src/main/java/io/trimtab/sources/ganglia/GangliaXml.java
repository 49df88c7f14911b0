package io.trimtab.sources.ganglia;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Parses what gmetad and gmond write: hosts with metrics, in grids and clusters. It comes over the
 * network from anybody. The document type that Ganglia puts before it is skipped, and with it all
 * entities; nothing else is ever read.
 */
final class GangliaXml {
  /**
   * How many of its longest intervals between two reports ({@code TMAX}) may have gone by since the
   * last one ({@code TN}). As Ganglia itself judges whether a host is up; one report or two may be
   * lost, since they are sent by UDP.
   */
  private static final int INTERVALS = 4;

  private GangliaXml() {}

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    return factory;
  }

  /**
   * The hosts.
   *
   * @throws IOException if it is not Ganglia's XML, or breaks off
   */
  static List<GangliaHost> parse(byte[] xml) throws IOException {
    List<GangliaHost> hosts = new ArrayList<>();
    try {
      XMLStreamReader reader = factory().createXMLStreamReader(new ByteArrayInputStream(xml));
      boolean ganglia = false;
      while (reader.hasNext()) {
        int event = reader.next();
        if (event == XMLStreamConstants.ENTITY_REFERENCE) {
          throw new IOException("an entity is refused: " + reader.getLocalName());
        }
        if (event == XMLStreamConstants.START_ELEMENT) {
          if (!ganglia && !reader.getLocalName().equals("GANGLIA_XML")) {
            throw new IOException("not Ganglia's XML: it begins with " + reader.getLocalName());
          }
          ganglia = true;
          if (reader.getLocalName().equals("HOST")) {
            hosts.add(host(reader));
          }
        }
      }
      return hosts;
    } catch (XMLStreamException e) {
      String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new IOException("not whole XML: " + message, e);
    }
  }

  /** With the metrics that are in force: none of a host of which it is not known since when. */
  private static GangliaHost host(XMLStreamReader reader) throws XMLStreamException {
    String name = attribute(reader, "NAME");
    String ip = attribute(reader, "IP");
    double silent = number(attribute(reader, "TN"));
    boolean known = silent >= 0 && silent < Integer.MAX_VALUE;
    boolean alive = inForce(reader);
    Map<String, Double> metrics = new HashMap<>();
    while (reader.hasNext()) {
      int event = reader.next();
      if (event == XMLStreamConstants.END_ELEMENT && reader.getLocalName().equals("HOST")) {
        break;
      }
      if (event == XMLStreamConstants.START_ELEMENT && reader.getLocalName().equals("METRIC")) {
        double value = number(attribute(reader, "VAL"));
        // Some are text: the system's name.
        if (known && Double.isFinite(value) && inForce(reader)) {
          metrics.put(attribute(reader, "NAME"), value);
        }
      }
    }
    return new GangliaHost(name, ip, Duration.ofSeconds(known ? (long) silent : 0), alive, metrics);
  }

  /**
   * Whether what an element tells still holds. A host sends a value again when it has changed, and
   * otherwise seldom, some once in an hour: how old the last report may be is each one's own.
   */
  private static boolean inForce(XMLStreamReader reader) {
    double age = number(attribute(reader, "TN"));
    return age >= 0 && age <= INTERVALS * number(attribute(reader, "TMAX"));
  }

  private static String attribute(XMLStreamReader reader, String name) {
    String value = reader.getAttributeValue(null, name);
    return value == null ? "" : value;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}

package io.trimtab.formats;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * Parses untrusted XML: document types, and with them all entities, are rejected, and so are
 * unexpected elements.
 */
final class Xml {
  private Xml() {}

  private static DocumentBuilder builder() {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
      factory.setNamespaceAware(true);
      factory.setXIncludeAware(false);
      factory.setExpandEntityReferences(false);
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(new Silent());
      return builder;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("this Java has no XML parser", e);
    }
  }

  /** The default one prints to standard error. */
  private static final class Silent implements ErrorHandler {
    @Override
    public void warning(SAXParseException e) {
      // Nothing to warn of: there is no document type.
    }

    @Override
    public void error(SAXParseException e) throws SAXException {
      throw e;
    }

    @Override
    public void fatalError(SAXParseException e) throws SAXException {
      throw e;
    }
  }

  static Document create() {
    return builder().newDocument();
  }

  /**
   * The root element.
   *
   * @param name name of the document in errors
   */
  static Element parse(String name, String xml) {
    try {
      return builder().parse(new InputSource(new StringReader(xml))).getDocumentElement();
    } catch (SAXParseException e) {
      String problem =
          e.getMessage().contains("DOCTYPE")
              ? "a document type is refused: it could bring in entities"
              : "is not XML: " + e.getMessage();
      throw new UserError(name + ":" + e.getLineNumber() + ": " + problem, e);
    } catch (SAXException | IOException e) {
      throw new UserError(name + ": is not XML: " + e.getMessage(), e);
    }
  }

  static Element root(Document document, String namespace, String name) {
    Element root = document.createElementNS(namespace, name);
    document.appendChild(root);
    return root;
  }

  static Element child(Element parent, String namespace, String name) {
    Element child = parent.getOwnerDocument().createElementNS(namespace, name);
    parent.appendChild(child);
    return child;
  }

  static String text(Document document) {
    try {
      TransformerFactory factory = TransformerFactory.newDefaultInstance();
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      Transformer transformer = factory.newTransformer();
      transformer.setOutputProperty(OutputKeys.INDENT, "yes");
      transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
      transformer.setOutputProperty("{http://xml.apache.org/xslt}indent-amount", "2");
      StringWriter text = new StringWriter();
      transformer.transform(new DOMSource(document), new StreamResult(text));
      return text.toString().strip();
    } catch (TransformerException e) {
      throw new IllegalStateException("XML can't be written", e);
    }
  }

  /**
   * All child elements.
   *
   * @param known allowed local names
   * @throws UserError with the path of a child that is not allowed, or of another namespace
   */
  static List<Element> children(
      String document, Element parent, String namespace, Set<String> known) {
    List<Element> children = new ArrayList<>();
    for (Node n = parent.getFirstChild(); n != null; n = n.getNextSibling()) {
      if (n instanceof Element child) {
        if (!namespace.equals(child.getNamespaceURI()) || !known.contains(child.getLocalName())) {
          throw wrong(document, child, "is not known here");
        }
        children.add(child);
      } else if (n.getNodeType() == Node.TEXT_NODE && !n.getTextContent().isBlank()) {
        throw wrong(document, parent, "must have no text: " + n.getTextContent().strip());
      }
    }
    return children;
  }

  static String value(Element element) {
    return element.getTextContent().strip();
  }

  static UserError wrong(String document, Element element, String problem) {
    return new UserError(document + ": " + path(element) + ": " + problem);
  }

  /** As XPath writes it: {@code /Agreement/Terms/All/GuaranteeTerm[2]}. */
  private static String path(Element element) {
    int before = 0;
    int after = 0;
    for (Node n = element.getPreviousSibling(); n != null; n = n.getPreviousSibling()) {
      before += like(n, element) ? 1 : 0;
    }
    for (Node n = element.getNextSibling(); n != null; n = n.getNextSibling()) {
      after += like(n, element) ? 1 : 0;
    }
    String step =
        "/" + element.getLocalName() + (before + after == 0 ? "" : "[" + (before + 1) + "]");
    return element.getParentNode() instanceof Element parent ? path(parent) + step : step;
  }

  private static boolean like(Node node, Element element) {
    return node instanceof Element other && other.getLocalName().equals(element.getLocalName());
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import dev.verbena.conformance.report.RuleResult.Outcome;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The results of the rules in JUnit's XML format, which CI servers read. */
final class JunitXml {
    private JunitXml() {}

    static String of(RunReport report) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            write(report, xml);
            xml.close();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException("XML cannot be written to memory", impossible);
        }
        return text.toString();
    }

    private static void write(RunReport report, XMLStreamWriter xml) throws XMLStreamException {
        long skipped = report.results().stream().filter(JunitXml::isSkipped).count();
        xml.writeStartDocument("UTF-8", "1.0");
        newLine(xml);
        xml.writeStartElement("testsuite");
        attribute("name", "conformance of " + report.title(), xml);
        attribute("tests", Integer.toString(report.results().size()), xml);
        attribute("failures", Long.toString(report.count(Outcome.FAILED)), xml);
        attribute("errors", "0", xml);
        attribute("skipped", Long.toString(skipped), xml);
        attribute("time", seconds(report.time()), xml);
        newLine(xml);
        xml.writeStartElement("properties");
        for (Map.Entry<String, String> fact : report.facts().entrySet()) {
            xml.writeEmptyElement("property");
            attribute("name", fact.getKey(), xml);
            attribute("value", fact.getValue(), xml);
        }
        xml.writeEndElement();
        newLine(xml);
        for (RuleResult result : report.results()) {
            write(result, xml);
        }
        xml.writeEndElement();
        xml.writeEndDocument();
    }

    /**
     * In JUnit's format, rules that were skipped or not executed, and failures that are known divergences, are "skipped".
     */
    private static boolean isSkipped(RuleResult result) {
        return switch (result.outcome()) {
            case SKIPPED, NOT_RUN, DIVERGED -> true;
            case PASSED, FAILED -> false;
        };
    }

    private static void write(RuleResult result, XMLStreamWriter xml) throws XMLStreamException {
        xml.writeStartElement("testcase");
        attribute("classname", "conformance." + result.rule().area(), xml);
        attribute("name", result.rule().id() + " " + result.rule().text(), xml);
        attribute("time", seconds(result.time()), xml);
        if (isSkipped(result)) {
            xml.writeEmptyElement("skipped");
            String why = result.reason().isEmpty() ? result.message() : result.reason();
            attribute("message", result.outcome().word() + (why.isEmpty() ? "" : ": " + why), xml);
        } else if (result.outcome() == Outcome.FAILED) {
            xml.writeStartElement("failure");
            attribute("message", result.message(), xml);
            xml.writeCharacters(legal(details(result)));
            xml.writeEndElement();
        }
        for (String failure : result.repeats()) {
            xml.writeStartElement(result.outcome() == Outcome.FAILED ? "rerunFailure" : "flakyFailure");
            attribute("message", failure, xml);
            xml.writeEndElement();
        }
        xml.writeEndElement();
        newLine(xml);
    }

    private static String details(RuleResult result) {
        StringBuilder text = new StringBuilder(result.message());
        result.sample().ifPresent(sample -> text.append("\nwith: ").append(sample));
        result.seed().ifPresent(seed -> text.append("\nseed: ").append(seed));
        text.append("\nsource: ").append(result.rule().source());
        result.rule().lookAt().forEach(hint -> text.append("\nlook at: ").append(hint));
        return text.toString();
    }

    private static void attribute(String name, String value, XMLStreamWriter xml) throws XMLStreamException {
        xml.writeAttribute(name, legal(value));
    }

    private static void newLine(XMLStreamWriter xml) throws XMLStreamException {
        xml.writeCharacters("\n");
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toNanos() / 1e9);
    }

    /** A control character that XML 1.0 cannot represent is replaced. */
    private static String legal(String raw) {
        return raw.codePoints()
                .map(c -> c == '\t' || c == '\n' || c == '\r' || (c >= ' ' && c != 0xFFFE && c != 0xFFFF) ? c : '?')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}

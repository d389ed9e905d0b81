// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import dev.verbena.cli.cluster.Chart.Curve;
import java.util.List;

/** An HTML page about the simulation of a cluster. The HTML page refers to no external files. */
public final class ClusterPage {
    private static final String STYLE = """
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
            h2 { font-size: 1.05rem; margin: 1.6rem 0 .3rem; }
            table { border-collapse: collapse; } td { padding: .1rem 1.2rem .1rem 0; } td + td { text-align: right; }
            svg { width: 100%; height: auto; } code { overflow-wrap: anywhere; }
            .line { fill: none; stroke-width: 1.6; } .a { stroke: #2f6fb2; } .b { stroke: #c05a2b; }
            .grid { stroke: currentColor; opacity: .15; } .crash { stroke: #c03030; opacity: .25; }
            .split { fill: #d0a020; opacity: .18; } text { font-size: 11px; fill: currentColor; }
            .key.a { color: #2f6fb2; } .key.b { color: #c05a2b; } .key { margin-right: 1rem; }
            """;

    private ClusterPage() {}

    public static String of(ClusterOutcome outcome) {
        ClusterDescription description = outcome.description();
        Chart chart = new Chart(outcome);
        StringBuilder body = new StringBuilder("<h1>" + description.nodes() + " LNet nodes, " + outcome.started()
                + " messages, seed " + description.seed() + "</h1>\n<table>\n");
        row(body, "delivered", outcome.delivered());
        row(body, "failed or not answered", outcome.failed());
        row(body, "initiator died", outcome.orphaned());
        row(body, "crashes", outcome.crashes());
        row(body, "partitions healed", outcome.partitions());
        row(body, "broken promises", outcome.violated());
        body.append("</table>\n<p>Hash of all events of the messages: <code>")
                .append(outcome.hash())
                .append("</code></p>\n");
        for (String violation : outcome.violations()) {
            body.append("<p>").append(escape(violation)).append("</p>\n");
        }
        body.append("<p>Red lines: a node dies. Yellow: the network is in two parts.</p>\n");
        body.append(chart.rates("Messages delivered in a second", List.of(new Curve("messages", Sample::delivered))));
        body.append(chart.rates("Bytes delivered in a second", List.of(new Curve("bytes", Sample::deliveredBytes))));
        body.append(chart.rates(
                "Packets in a second",
                List.of(new Curve("sent again", Sample::retransmitted), new Curve("lost", Sample::lostPackets))));
        body.append(chart.levels(
                "Credits in use and messages that wait",
                List.of(
                        new Curve("credits in use", sample -> sample.creditsInAll() - sample.credits()),
                        new Curve("messages that wait", Sample::pending))));
        body.append(chart.levels("Connections", List.of(new Curve("ends of connections", Sample::connections))));
        body.append(chart.levels("Running nodes", List.of(new Curve("nodes", Sample::up))));
        return """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
                <title>Cluster</title><style>
                %s</style></head><body>
                %s</body></html>
                """.formatted(STYLE, body);
    }

    private static void row(StringBuilder body, String name, long number) {
        body.append("<tr><td>").append(name).append("</td><td>").append(number).append("</td></tr>\n");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}

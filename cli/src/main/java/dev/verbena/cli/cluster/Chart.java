// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws curves over the virtual time of one simulation, with node crashes and network partitions in the background. */
final class Chart {
    record Curve(String name, ToDoubleFunction<Sample> value) {}

    private static final int WIDTH = 900;
    private static final int HEIGHT = 180;
    private static final int LEFT = 70;
    private static final int BOTTOM = 20;
    private static final int TOP = 8;
    private static final String CLASSES = "ab";

    private final ClusterOutcome outcome;
    private final double end;

    Chart(ClusterOutcome outcome) {
        this.outcome = outcome;
        end = Math.max(1, outcome.samples().getLast().at().toNanos());
    }

    /** Draws a chart that shows the increase of each counter per second. */
    String rates(String title, List<Curve> curves) {
        List<Sample> samples = outcome.samples();
        double[][] values = new double[curves.size()][samples.size()];
        for (int c = 0; c < values.length; c++) {
            ToDoubleFunction<Sample> value = curves.get(c).value;
            for (int i = 1; i < samples.size(); i++) {
                Sample before = samples.get(i - 1);
                Sample now = samples.get(i);
                double seconds = now.at().minus(before.at()).toNanos() / 1e9;
                values[c][i] = seconds == 0 ? 0 : (value.applyAsDouble(now) - value.applyAsDouble(before)) / seconds;
            }
        }
        return draw(title, curves, values);
    }

    String levels(String title, List<Curve> curves) {
        double[][] values = new double[curves.size()][];
        for (int c = 0; c < values.length; c++) {
            values[c] =
                    outcome.samples().stream().mapToDouble(curves.get(c).value).toArray();
        }
        return draw(title, curves, values);
    }

    private String draw(String title, List<Curve> curves, double[][] values) {
        double most = 1e-9;
        for (double[] curve : values) {
            for (double value : curve) {
                most = Math.max(most, value);
            }
        }
        StringBuilder svg = new StringBuilder("<h2>" + title + "</h2>\n<p>");
        for (int c = 0; c < values.length; c++) {
            svg.append("<span class=\"key ")
                    .append(CLASSES.charAt(c))
                    .append("\">&#9644; ")
                    .append(curves.get(c).name)
                    .append("</span>");
        }
        svg.append("</p>\n<svg viewBox=\"0 0 ")
                .append(WIDTH)
                .append(' ')
                .append(HEIGHT)
                .append("\" role=\"img\">\n");
        incidents(svg);
        axes(svg, most);
        for (int c = 0; c < values.length; c++) {
            svg.append("<polyline class=\"line ").append(CLASSES.charAt(c)).append("\" points=\"");
            for (int i = 0; i < values[c].length; i++) {
                double at = outcome.samples().get(i).at().toNanos();
                svg.append(number(x(at)))
                        .append(',')
                        .append(number(y(values[c][i], most)))
                        .append(' ');
            }
            svg.append("\"/>\n");
        }
        return svg.append("</svg>\n").toString();
    }

    private void incidents(StringBuilder svg) {
        int split = 0;
        double since = 0;
        for (Incident incident : outcome.incidents()) {
            double at = x((double) incident.at().toNanos());
            switch (incident.kind()) {
                case CRASH -> line(svg, "crash", at, TOP, at, HEIGHT - BOTTOM);
                case RESTART -> {
                    // The charts do not mark restarts, because the curve of live nodes shows them.
                }
                case PARTITION -> since = split++ == 0 ? at : since;
                case HEALING -> {
                    if (--split == 0) {
                        svg.append("<rect class=\"split\" x=\"")
                                .append(number(since))
                                .append("\" y=\"")
                                .append(TOP)
                                .append("\" width=\"")
                                .append(number(at - since))
                                .append("\" height=\"")
                                .append(HEIGHT - BOTTOM - TOP)
                                .append("\"/>\n");
                    }
                }
            }
        }
    }

    private void axes(StringBuilder svg, double most) {
        for (int part = 0; part <= 2; part++) {
            double value = most * part / 2;
            double y = y(value, most);
            line(svg, "grid", LEFT, y, WIDTH, y);
            label(svg, LEFT - 6, y + 4, "end", shortened(value));
        }
        for (int part = 0; part <= 4; part++) {
            double at = end * part / 4;
            label(svg, x(at), HEIGHT - 5, part == 4 ? "end" : "middle", Math.round(at / 1e9) + " s");
        }
    }

    private static void line(StringBuilder svg, String kind, double x1, double y1, double x2, double y2) {
        svg.append("<line class=\"")
                .append(kind)
                .append("\" x1=\"")
                .append(number(x1))
                .append("\" y1=\"")
                .append(number(y1))
                .append("\" x2=\"")
                .append(number(x2))
                .append("\" y2=\"")
                .append(number(y2))
                .append("\"/>\n");
    }

    private static void label(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append("<text x=\"")
                .append(number(x))
                .append("\" y=\"")
                .append(number(y))
                .append("\" text-anchor=\"")
                .append(anchor)
                .append("\">")
                .append(text)
                .append("</text>\n");
    }

    private double x(double nanos) {
        return LEFT + (WIDTH - LEFT - 4) * nanos / end;
    }

    private static double y(double value, double most) {
        return TOP + (HEIGHT - BOTTOM - TOP) * (1 - value / most);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String shortened(double value) {
        if (value >= 1e9) {
            return number(value / 1e9) + "G";
        }
        if (value >= 1e6) {
            return number(value / 1e6) + "M";
        }
        return value >= 1e4 ? number(value / 1e3) + "k" : number(value);
    }
}

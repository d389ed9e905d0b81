// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/** Draws curves on two logarithmic axes, as a picture in SVG. */
final class LogChart {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int LEFT = 70;
    private static final int RIGHT = 190;
    private static final int TOP = 40;
    private static final int BOTTOM = 50;
    private static final int ENTRY = 18;
    private static final List<String> COLOURS =
            List.of("#b5179e", "#3a0ca3", "#0077b6", "#2a9d8f", "#e76f51", "#6c757d", "#bc6c25", "#588157");

    private final String title;
    private final String across;
    private final String up;
    private final Map<String, SortedMap<Double, Double>> curves;
    private final Axis horizontal;
    private final Axis vertical;

    /** A logarithmic axis, which begins at 10^first and ends at 10^last. */
    private record Axis(int first, int last) {
        static Axis of(List<Double> values) {
            double least = Math.log10(
                    values.stream().mapToDouble(Double::doubleValue).min().orElse(1));
            double most = Math.log10(
                    values.stream().mapToDouble(Double::doubleValue).max().orElse(1));
            int first = (int) Math.floor(least);
            return new Axis(first, Math.max(first + 1, (int) Math.ceil(most)));
        }

        /** Returns the position of a value on this axis of the chart: 0 is the start of the axis, 1 is the end. */
        double place(double value) {
            return (Math.log10(value) - first) / (last - first);
        }
    }

    LogChart(String title, String across, String up, Map<String, SortedMap<Double, Double>> curves) {
        this.title = title;
        this.across = across;
        this.up = up;
        this.curves = curves;
        List<Double> xs = new ArrayList<>();
        List<Double> ys = new ArrayList<>();
        curves.values().forEach(curve -> {
            xs.addAll(curve.keySet());
            ys.addAll(curve.values());
        });
        horizontal = Axis.of(xs);
        vertical = Axis.of(ys);
    }

    String svg() {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"12\" fill=\"#333\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n",
                WIDTH,
                HEIGHT));
        text(svg, LEFT, 20, "start", title);
        text(svg, LEFT, TOP - 6, "start", up);
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", across);
        for (int power = horizontal.first(); power <= horizontal.last(); power++) {
            double x = x(Math.pow(10, power));
            line(svg, x, TOP, x, HEIGHT - BOTTOM);
            text(svg, x, HEIGHT - BOTTOM + 16, "middle", shortened(power));
        }
        for (int power = vertical.first(); power <= vertical.last(); power++) {
            double y = y(Math.pow(10, power));
            line(svg, LEFT, y, WIDTH - RIGHT, y);
            text(svg, LEFT - 6, y + 4, "end", shortened(power));
        }
        int index = 0;
        for (Map.Entry<String, SortedMap<Double, Double>> curve : curves.entrySet()) {
            draw(svg, index++, curve.getKey(), curve.getValue());
        }
        return svg.append("</svg>\n").toString();
    }

    private void draw(StringBuilder svg, int index, String name, SortedMap<Double, Double> curve) {
        String colour = COLOURS.get(index % COLOURS.size());
        StringBuilder points = new StringBuilder();
        StringBuilder dots = new StringBuilder();
        curve.forEach((at, value) -> {
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(at), y(value)));
            dots.append(String.format(
                    Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>%n", x(at), y(value), colour));
        });
        svg.append(String.format(
                Locale.ROOT,
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>%n%s",
                colour,
                points.toString().strip(),
                dots));
        double y = TOP + 8 + index * (double) ENTRY;
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%d\" y=\"%.1f\" width=\"12\" height=\"4\" fill=\"%s\"/>%n",
                WIDTH - RIGHT + 12,
                y - 5,
                colour));
        text(svg, WIDTH - RIGHT + 30, y, "start", name);
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
                x1,
                y1,
                x2,
                y2));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text));
    }

    private static String shortened(int power) {
        return switch (Math.floorDiv(power, 3)) {
            case 0 -> String.format(Locale.ROOT, "%.0f", Math.pow(10, power));
            case 1 -> String.format(Locale.ROOT, "%.0f k", Math.pow(10, power - 3.0));
            case 2 -> String.format(Locale.ROOT, "%.0f M", Math.pow(10, power - 6.0));
            default -> String.format(Locale.ROOT, "%g", Math.pow(10, power)).replaceFirst("0+$", "");
        };
    }

    private double x(double value) {
        return LEFT + (WIDTH - RIGHT - LEFT) * horizontal.place(value);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * vertical.place(value);
    }
}

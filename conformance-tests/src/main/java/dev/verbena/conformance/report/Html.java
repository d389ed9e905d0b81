// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/** The page template, style sheet and formatting methods that all HTML pages of the report use. */
final class Html {
    private static final String STYLE = style();

    private Html() {}

    private static String style() {
        try (InputStream in = Html.class.getResourceAsStream("report.css")) {
            if (in == null) {
                throw new IllegalStateException("report.css is missing beside " + Html.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Returns an HTML page without references to other sites. */
    static String page(String title, String body) {
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>%s</title>
                <style>
                %s</style>
                </head>
                <body>
                <main>
                %s</main>
                </body>
                </html>
                """.formatted(text(title), STYLE, body);
    }

    static String text(String raw) {
        StringBuilder escaped = new StringBuilder(raw.length() + 16);
        raw.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(c);
            }
        });
        return escaped.toString();
    }

    static String time(Duration time) {
        long millis = time.toMillis();
        if (millis < 1) {
            return "under 1 ms";
        }
        return millis < 1000 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
}

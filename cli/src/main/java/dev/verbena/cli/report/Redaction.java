// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces names and addresses that identify the user's site: names of hosts and users, IP and MAC addresses, GIDs and
 * GUIDs. Equal names or addresses get equal replacements, so that a reader can still distinguish devices.
 */
final class Redaction {
    /**
     * Matches an address that consists of four or more groups of hexadecimal digits, or an abbreviated IPv6 address. The
     * regular expression matches no time of day, because a time of day has fewer than four groups and no {@code ::}.
     */
    private static final String COLONS = "(?<![\\w:.])(?:(?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F]{1,4}"
            + "|[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4})*::(?:[0-9a-fA-F]{1,4}:)*(?:[0-9a-fA-F]{1,4}|(?:\\d{1,3}\\.){3}\\d{1,3})?"
            + "|::(?:[0-9a-fA-F]{1,4}:)*(?:(?:\\d{1,3}\\.){3}\\d{1,3}|[0-9a-fA-F]{2,4}))(?![\\w:])";

    private static final String DOTS = "(?<![\\w.])(?!127\\.)(?!0\\.0\\.0\\.0)(?:\\d{1,3}\\.){3}\\d{1,3}(?![\\w.])";
    private static final String GUID = "0x[0-9a-fA-F]{16}\\b";

    private final Pattern pattern;
    private final Map<String, String> replacements = new LinkedHashMap<>();

    Redaction(List<String> names) {
        StringBuilder all = new StringBuilder(COLONS + "|" + DOTS + "|" + GUID);
        for (String name : names) {
            if (!name.isBlank() && !name.equals("localhost")) {
                all.append("|(?<![\\w-])").append(Pattern.quote(name)).append("(?![\\w-])");
            }
        }
        pattern = Pattern.compile(all.toString());
    }

    String redact(String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.replaceAll(found -> Matcher.quoteReplacement(replacements.computeIfAbsent(
                found.group().toLowerCase(Locale.ROOT), key -> "redacted-" + (replacements.size() + 1))));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

import dev.verbena.verbs.Capability;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page docs/rules.md, in Markdown. */
public final class RulePage {
    /** The subject of each rule area, in the order in which reports show the rule areas. */
    public static final Map<String, String> AREAS = areas();

    private RulePage() {}

    private static Map<String, String> areas() {
        Map<String, String> areas = new LinkedHashMap<>();
        areas.put("OBJ", "object lifetimes and the order of closing");
        areas.put("STATE", "states of a queue pair and their transitions");
        areas.put("POST", "posting of work requests");
        areas.put("COMP", "completions: number, order and contents");
        areas.put("RNR", "messages that arrive before a receive is posted");
        areas.put("RETRY", "lost, late and duplicated packets");
        areas.put("MEM", "registered memory, keys, rights and windows");
        areas.put("ODP", "on-demand paging");
        areas.put("PLACE", "visibility and order of written bytes");
        areas.put("MTU", "message lengths and path MTU");
        areas.put("ATOMIC", "atomic operations");
        areas.put("SRQ", "shared receive queues");
        areas.put("UD", "datagrams");
        areas.put("UC", "unreliable connections");
        areas.put("EVENT", "completion events and asynchronous events");
        areas.put("WIRE", "packet formats");
        areas.put("LIMITS", "limits that a device reports");
        areas.put("THREADS", "concurrent threads");
        areas.put("LINK", "addresses on the link");
        areas.put("MODEL", "random programs, compared with a model");
        areas.put("CM", "connection management by address and port");
        return Collections.unmodifiableMap(areas);
    }

    /**
     * {@return the whole page of rules, with a line feed at the end}
     *
     * @param rules the rules of a suite
     */
    public static String of(List<RuleCatalogue.Entry> rules) {
        List<String> lines = new ArrayList<>();
        lines.add("# The rules of the conformance kit");
        lines.add("");
        lines.add("This page is generated from the `@Rule` annotations, and `RuleCatalogueTest` compares the page with"
                + " them. A rule that names no capability needs RC and MANUAL_CONNECT: RC queue pairs that the"
                + " program connects by `modify`.");
        AREAS.forEach((area, about) -> {
            List<RuleCatalogue.Entry> those =
                    rules.stream().filter(rule -> rule.area().equals(area)).toList();
            if (!those.isEmpty()) {
                lines.add("");
                lines.add("## " + area + ": " + about);
                those.forEach(rule -> add(rule, lines));
            }
        });
        return String.join("\n", lines) + "\n";
    }

    private static void add(RuleCatalogue.Entry rule, List<String> lines) {
        lines.add("");
        lines.add("**" + rule.id() + "** " + rule.text());
        lines.add("");
        lines.add("- Rule " + rule.id() + " is specified by "
                + list(List.of(rule.source().split("; ")), " and ") + ".");
        String needs = needs(rule);
        if (!needs.isEmpty()) {
            lines.add("- Rule " + rule.id() + " needs " + needs + ".");
        }
        lines.add("- If rule " + rule.id() + " fails, examine " + list(rule.lookAt(), ", and ") + ".");
    }

    private static String needs(RuleCatalogue.Entry rule) {
        List<String> needs = new ArrayList<>();
        List<String> capabilities = rule.needs().stream().map(Enum::name).toList();
        if (capabilities.isEmpty()) {
            needs.add("no capability, only a device");
        } else if (!rule.needs().equals(List.of(Capability.RC, Capability.MANUAL_CONNECT))) {
            needs.add(
                    (capabilities.size() == 1 ? "the capability " : "the capabilities ") + list(capabilities, " and "));
        }
        rule.rig().forEach(need -> needs.add(need.description()));
        return list(needs, ", and ");
    }

    private static String list(List<String> parts, String and) {
        int last = parts.size() - 1;
        return last < 1 ? String.join("", parts) : String.join(", ", parts.subList(0, last)) + and + parts.get(last);
    }
}

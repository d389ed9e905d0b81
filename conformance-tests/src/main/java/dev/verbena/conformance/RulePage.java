package dev.verbena.conformance;

import dev.verbena.verbs.Capability;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The catalogue as a page of documentation, in Markdown. */
public final class RulePage {
    /** What each area is about, in the order of reports. */
    public static final Map<String, String> AREAS = areas();

    private RulePage() {}

    private static Map<String, String> areas() {
        Map<String, String> areas = new LinkedHashMap<>();
        areas.put("OBJ", "objects: the order of closing, and what remains");
        areas.put("STATE", "states of a queue pair and the ways between them");
        areas.put("POST", "what can be posted, when, and what a request is made of");
        areas.put("COMP", "completions: which, how often, in which order, saying what");
        areas.put("RNR", "messages that come before there is a receive");
        areas.put("RETRY", "packets that are lost, late or doubled");
        areas.put("MEM", "registered memory, keys, rights and windows");
        areas.put("PLACE", "when bytes are visible, and in which order");
        areas.put("MTU", "messages and packets");
        areas.put("ATOMIC", "atomic operations");
        areas.put("SRQ", "shared receive queues");
        areas.put("UD", "datagrams");
        areas.put("UC", "unreliable connections");
        areas.put("EVENT", "announcements and asynchronous events");
        areas.put("WIRE", "what packets look like");
        areas.put("LIMITS", "limits that a device states");
        areas.put("THREADS", "several threads at once");
        areas.put("LINK", "addresses on the link");
        areas.put("MODEL", "everything at once, against a model");
        areas.put("CM", "connections by address and port");
        return Collections.unmodifiableMap(areas);
    }

    /**
     * Writes the page.
     *
     * @param rules the rules of a suite
     * @return the whole page, which ends with a line break
     */
    public static String of(List<RuleCatalogue.Entry> rules) {
        List<String> lines = new ArrayList<>();
        lines.add("# The rules of the conformance kit");
        lines.add("");
        lines.add(
                "Made from the annotations of the tests; `RuleCatalogueTest` keeps it so. A rule without another remark needs"
                        + " reliable connections (RC) that are connected by modify (MANUAL_CONNECT).");
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
        lines.add("- Source: " + rule.source());
        String needs = needs(rule);
        if (!needs.isEmpty()) {
            lines.add("- Needs: " + needs);
        }
        lines.add("- If it fails, look at: " + String.join("; ", rule.lookAt()));
    }

    private static String needs(RuleCatalogue.Entry rule) {
        List<String> needs = new ArrayList<>();
        boolean usual = rule.needs().equals(List.of(Capability.RC, Capability.MANUAL_CONNECT));
        if (!usual) {
            needs.addAll(rule.needs().stream().map(Enum::name).toList());
            if (needs.isEmpty()) {
                needs.add("nothing but a device");
            }
        }
        rule.rig().forEach(need -> needs.add(need.description()));
        return String.join(", ", needs);
    }
}

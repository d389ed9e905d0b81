// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance;

import dev.verbena.conformance.rules.RuleCatalogue;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The rules that a provider is known to violate. Each known divergence consists of the failure message of a rule, and the
 * reason why the provider violates this rule. The conformance suite fails if a rule with a known divergence passes, or
 * fails with a message that is not listed. Immutable.
 *
 * <p>Each line of a file of known divergences has three fields, separated by {@code |}: the rule's id, the failure message,
 * and the reason. A {@code *} in the failure message matches any text. If a rule can fail with several messages, the file
 * has a line for each message. Empty lines and lines that begin with {@code #} are ignored.
 */
public final class Divergences {
    private static final Divergences NONE = new Divergences(Map.of());

    private final Map<String, List<Divergence>> byRule;

    private Divergences(Map<String, List<Divergence>> byRule) {
        this.byRule = byRule;
    }

    /**
     * One known way in which a provider violates a rule.
     *
     * @param message the message of the failure, in which {@code *} matches any text
     * @param reason the reason why the provider violates the rule
     */
    public record Divergence(String message, String reason) {
        boolean matches(String failure) {
            String pattern =
                    Arrays.stream(message.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
            return Pattern.compile(pattern, Pattern.DOTALL).matcher(failure).matches();
        }
    }

    /** {@return no known divergences, for a provider that conforms to every rule} */
    public static Divergences none() {
        return NONE;
    }

    /**
     * {@return the known divergences that a file lists}
     *
     * @param file the path of a text file in UTF-8
     * @throws IOException if the file of known divergences cannot be read
     * @throws IllegalArgumentException if a line of the file has no rule id, no failure message or no reason, or if the
     *     line repeats another line
     */
    public static Divergences read(Path file) throws IOException {
        try {
            return parse(file.toString(), Files.readAllLines(file));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + " is no text in UTF-8", e);
        }
    }

    /**
     * {@return the known divergences of a device, parsed from the lines of a file}
     *
     * @param name the name of the file of known divergences; the messages of exceptions contain this name
     * @param lines the lines of the file
     * @throws IllegalArgumentException if a line of the file has no rule id, no failure message or no reason, or if the
     *     line repeats another line
     */
    public static Divergences parse(String name, List<String> lines) {
        Set<String> known = RuleCatalogue.of(VerbsConformance.class).stream()
                .map(RuleCatalogue.Entry::id)
                .collect(Collectors.toSet());
        Map<String, List<Divergence>> byRule = new TreeMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                String where = name + ", line " + (i + 1) + ": ";
                String[] parts = line.split("\\|", -1);
                String id = parts[0].strip().split("\\s+", 2)[0];
                if (!known.contains(id)) {
                    throw new IllegalArgumentException(where + "'" + id + "' is not a rule of the conformance kit");
                }
                if (parts.length != 3 || !parts[0].strip().equals(id)) {
                    throw new IllegalArgumentException(
                            where + "write: " + id + " | the message of the failure, with * for any text | the reason");
                }
                add(where, id, parts[1].strip(), parts[2].strip(), byRule);
            }
        }
        byRule.replaceAll((_, ways) -> List.copyOf(ways));
        return new Divergences(Collections.unmodifiableMap(byRule));
    }

    private static void add(
            String where, String id, String message, String reason, Map<String, List<Divergence>> byRule) {
        if (message.replace("*", "").isBlank()) {
            throw new IllegalArgumentException(
                    where + id + " does not state the message of its failure, so that any failure would pass");
        }
        if (reason.isEmpty()) {
            throw new IllegalArgumentException(where + id + " has no reason; write it after the message");
        }
        List<Divergence> ways = byRule.computeIfAbsent(id, _ -> new ArrayList<>());
        if (ways.stream().anyMatch(way -> way.message().equals(message))) {
            throw new IllegalArgumentException(where + id + " is listed with this message already");
        }
        ways.add(new Divergence(message, reason));
    }

    /** {@return the sorted ids of the rules that the provider is known to violate} */
    public Collection<String> ids() {
        return byRule.keySet();
    }

    /** Returns the known divergences of a rule, or an empty list if the rule has none. */
    List<Divergence> of(String id) {
        return byRule.getOrDefault(id, List.of());
    }

    /** Returns the first known divergence of the rule {@code id} for which {@code matches(failure)} is true. */
    Optional<Divergence> of(String id, String failure) {
        return of(id).stream().filter(way -> way.matches(failure)).findFirst();
    }
}

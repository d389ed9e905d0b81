package dev.verbena.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The rules that a provider is known not to keep, with the reason of each. A rule that is listed may fail; if it does not,
 * that is a failure, so that the list stays true. Immutable.
 *
 * <p>In a file each stands on a line of its own: the id, space, the reason. Empty lines and lines that begin with {@code #}
 * say nothing.
 */
public final class Divergences {
    private static final Divergences NONE = new Divergences(Map.of());

    private final Map<String, String> reasons;

    private Divergences(Map<String, String> reasons) {
        this.reasons = reasons;
    }

    /**
     * Returns the list of a provider that keeps everything.
     *
     * @return an empty list
     */
    public static Divergences none() {
        return NONE;
    }

    /**
     * Reads a file.
     *
     * @param file in UTF-8
     * @return what it lists
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if a line names no rule, gives no reason, or repeats another one
     */
    public static Divergences read(Path file) throws IOException {
        return parse(file.toString(), Files.readAllLines(file));
    }

    /**
     * Reads the lines of a file.
     *
     * @param name of the file, for messages
     * @param lines its lines
     * @return what they list
     * @throws IllegalArgumentException if a line names no rule, gives no reason, or repeats another one
     */
    public static Divergences parse(String name, List<String> lines) {
        Set<String> known = RuleCatalogue.of(VerbsConformance.class).stream()
                .map(RuleCatalogue.Entry::id)
                .collect(Collectors.toSet());
        Map<String, String> reasons = new TreeMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                String where = name + ", line " + (i + 1) + ": ";
                String[] parts = line.split("\\s+", 2);
                if (!known.contains(parts[0])) {
                    throw new IllegalArgumentException(where + "'" + parts[0] + "' is no rule of the kit");
                }
                if (parts.length == 1) {
                    throw new IllegalArgumentException(where + parts[0] + " has no reason; write it behind the id");
                }
                if (reasons.put(parts[0], parts[1]) != null) {
                    throw new IllegalArgumentException(where + parts[0] + " is listed already");
                }
            }
        }
        return new Divergences(Collections.unmodifiableMap(reasons));
    }

    /**
     * Returns the rules that are listed.
     *
     * @return their ids, in order
     */
    public Collection<String> ids() {
        return reasons.keySet();
    }

    Optional<String> reason(String id) {
        return Optional.ofNullable(reasons.get(id));
    }
}

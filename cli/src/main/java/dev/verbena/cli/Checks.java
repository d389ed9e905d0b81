package dev.verbena.cli;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What can be wrong with the value of an option. */
final class Checks {
    private Checks() {}

    /** A complaint about a value that is given and out of range. */
    static Optional<String> range(String option, @Nullable Integer value, int least, int most) {
        return value == null || value >= least && value <= most
                ? Optional.empty()
                : Optional.of(option + " " + value + " is not in " + least + ".." + most);
    }

    /** The first complaint, if there is any. */
    static Optional<String> firstOf(List<Optional<String>> complaints) {
        return complaints.stream().flatMap(Optional::stream).findFirst();
    }
}

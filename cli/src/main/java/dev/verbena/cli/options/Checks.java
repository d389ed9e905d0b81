// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

public final class Checks {
    private Checks() {}

    /** Returns an error message if the user set the option to a value outside the range. */
    public static Optional<String> range(String option, @Nullable Integer value, int least, int most) {
        return value == null || value >= least && value <= most
                ? Optional.empty()
                : Optional.of(option + " " + value + " is not in " + least + ".." + most);
    }

    public static Optional<String> firstOf(List<Optional<String>> complaints) {
        return complaints.stream().flatMap(Optional::stream).findFirst();
    }
}

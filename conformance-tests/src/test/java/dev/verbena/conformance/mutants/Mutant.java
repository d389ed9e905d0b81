// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.mutants;

import dev.verbena.sim.profile.Quirk;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A provider with a fault.
 *
 * @param rules the rules that must find it, each by itself
 * @param what is wrong
 * @param fault makes the fault, anew for each rig
 * @param quirks of both devices
 */
record Mutant(List<String> rules, String what, Supplier<Fault> fault, Set<Quirk> quirks) {
    /** A mutant by a fault; the ids of the rules have a blank between them. */
    static Mutant of(String rules, String what, Supplier<Fault> fault) {
        return new Mutant(List.of(rules.split(" ")), what, fault, Set.of());
    }

    /** A mutant by a quirk, where that leaves the specification. */
    static Mutant of(String rules, String what, Quirk quirk) {
        return of(rules, what, () -> Fault.NONE).with(quirk);
    }

    Mutant with(Quirk quirk) {
        return new Mutant(rules, what, fault, Set.of(quirk));
    }

    @Override
    public String toString() {
        return String.join(" ", rules) + ": " + what;
    }
}

package dev.verbena.cli;

import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.ProviderRig;
import java.util.Map;

/** What is held against the rules, from the first rule to the last. */
interface Bench extends Opened {
    /** What it is, for titles. */
    String title();

    /** What else there is to say of it, by name. */
    Map<String, String> facts();

    /** The rules that it is known not to keep. */
    default Divergences divergences() {
        return Divergences.none();
    }

    /** Makes a rig for one try of a rule. */
    ProviderRig open() throws Exception;
}

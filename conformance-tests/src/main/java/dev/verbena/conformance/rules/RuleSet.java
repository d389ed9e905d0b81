package dev.verbena.conformance.rules;

import dev.verbena.conformance.ProviderRig;
import dev.verbena.verbs.VerbsException;

/** What every set of rules asks of the class that runs it. */
public interface RuleSet {
    /**
     * Opens the two devices that a rule works on. Called for every try of every rule; the rule closes the rig.
     *
     * @return a rig of its own for one try
     * @throws VerbsException if a device cannot be opened
     */
    ProviderRig openRig() throws VerbsException;
}

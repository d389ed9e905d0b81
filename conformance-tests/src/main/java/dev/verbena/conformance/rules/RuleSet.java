package dev.verbena.conformance.rules;

import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.side.Pair;

/** The method that every set of rules needs from the class that runs it. */
public interface RuleSet {
    /**
     * Opens the two sides that a rule works on. Called for every try of every rule; the rule closes the rig.
     *
     * @return a rig of its own for one try
     * @throws Exception if a device cannot be opened; the rule fails then
     */
    ProviderRig openRig() throws Exception;

    /**
     * Opens a rig and both of its sides.
     *
     * @return both sides; the rig is closed with them
     */
    default Pair pair() {
        ProviderRig rig;
        try {
            rig = openRig();
        } catch (Exception refused) {
            throw new IllegalStateException("the rig cannot be opened: " + refused.getMessage(), refused);
        }
        return Pair.of(rig);
    }
}

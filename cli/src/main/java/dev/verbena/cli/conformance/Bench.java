// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.ProviderRig;
import java.util.Map;

/** The devices under test, from the first rule to the last. */
interface Bench extends Opened {
    /** The title of the bench in reports. */
    String title();

    /** Further facts for the report, by name. */
    Map<String, String> facts();

    /** The rules that the devices are known to break. */
    default Divergences divergences() {
        return Divergences.none();
    }

    /** Makes a rig for one try of a rule. */
    ProviderRig open() throws Exception;
}

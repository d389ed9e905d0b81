// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.conformance;

import dev.verbena.conformance.Divergences;
import dev.verbena.conformance.ProviderRig;
import java.util.Map;

/** The devices under test, which are the same for all conformance rules of one {@link ConformanceRun}. */
interface Bench extends Opened {
    String title();

    Map<String, String> facts();

    default Divergences divergences() {
        return Divergences.none();
    }

    /** Opens the devices for one execution of a conformance rule. */
    ProviderRig open() throws Exception;
}

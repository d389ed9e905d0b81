// SPDX-License-Identifier: Apache-2.0
package example;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.conformance.LocalRig;
import dev.verbena.conformance.ProviderRig;
import dev.verbena.conformance.VerbsConformance;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import dev.verbena.verbs.VerbsException;

/** Every rule of the kit, over two devices of this provider. */
class OwnProviderConformanceTest extends VerbsConformance {
    @Override
    public ProviderRig openRig() throws VerbsException {
        VerbsProvider provider = VerbsProviders.named("own");
        return new LocalRig(
                provider.open("sim0"), provider.open("sim1"), provider.extension(ConnectionManager.class));
    }

    /** How often a rule with random values is tried: few times, as for a slow device. */
    @Override
    protected int tries() {
        return 5;
    }
}

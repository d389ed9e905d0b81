// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.verbs.impl;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import dev.verbena.disni.bridge.Bridge;
import dev.verbena.disni.bridge.VerbenaDisni;
import java.io.IOException;

/** The provider that {@link RdmaProvider#provider()} makes. Takes the place of the class that loads libdisni. */
public final class RdmaProviderNat extends RdmaProvider {
    /** The version of libdisni's native interface that DiSNI 2.1 requires. */
    private static final int VERSION = 32;

    private final Bridge bridge;

    /**
     * Makes the provider over the installed one, or over the one that the settings name.
     *
     * @throws IOException if there is no such provider, or it cannot work here
     */
    public RdmaProviderNat() throws IOException {
        bridge = VerbenaDisni.bridge();
    }

    @Override
    public RdmaCm openCm() {
        return bridge.connections();
    }

    @Override
    public RdmaVerbs openVerbs() {
        return bridge.verbs();
    }

    @Override
    public int getVersion() {
        return VERSION;
    }
}

// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.verbs.impl;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import dev.verbena.disni.bridge.Bridge;
import dev.verbena.disni.bridge.VerbenaDisni;
import java.io.IOException;

/**
 * The provider that {@link RdmaProvider#provider()} creates. This class replaces DiSNI's class of this name, which
 * loads libdisni.
 */
public final class RdmaProviderNat extends RdmaProvider {
    /** The version of libdisni's native interface that DiSNI 2.1 requires. */
    private static final int VERSION = 32;

    private final Bridge bridge;

    /**
     * Creates the provider over the installed provider of Verbena, or over the one that the settings name.
     *
     * @throws IOException if there is no such provider, or the provider cannot be used on this machine
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

// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.verbs.impl;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import dev.verbena.disni.bridge.Bridge;
import dev.verbena.disni.bridge.VerbenaDisni;
import java.io.IOException;

/**
 * The provider that {@link RdmaProvider#provider()} creates. This class replaces a DiSNI class of the same name. The
 * replaced DiSNI class needs the native library libdisni, but this class does not.
 */
public final class RdmaProviderNat extends RdmaProvider {
    /** The version of libdisni's native interface that DiSNI 2.1 expects. */
    private static final int VERSION = 32;

    private final Bridge bridge;

    /**
     * Creates the DiSNI provider over the installed provider of Verbena, or over the provider that a system property names.
     *
     * @throws IOException if no provider of Verbena has the configured name, or if the provider cannot be used on this
     *     machine
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

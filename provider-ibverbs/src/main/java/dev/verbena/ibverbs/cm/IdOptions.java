// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.cm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.verbena.ibverbs.internal.Refusals;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.VerbsException;

/** The options of a connection id (rdma_set_option(3)). */
public final class IdOptions {
    private static final String VERB = "rdma_set_option";

    private static final int LEVEL_ID = 0;

    private static final int OPTION_TOS = 0;
    private static final int OPTION_REUSEADDR = 1;
    private static final int OPTION_AFONLY = 2;
    private static final int OPTION_ACK_TIMEOUT = 3;

    private final NativeId id;

    IdOptions(NativeId id) {
        this.id = id;
    }

    void setTypeOfService(int typeOfService) throws VerbsException {
        if (typeOfService < 0 || typeOfService > 0xFF) {
            throw Refusals.invalid(VERB, "type of service " + typeOfService + "; it is 0 to 255");
        }
        set(OPTION_TOS, (byte) typeOfService);
    }

    void setReuseAddress(boolean reuse) throws VerbsException {
        set(OPTION_REUSEADDR, reuse);
    }

    void setIpv6Only(boolean only) throws VerbsException {
        set(OPTION_AFONLY, only);
    }

    void setAckTimeout(AckTimeout timeout) throws VerbsException {
        set(OPTION_ACK_TIMEOUT, (byte) timeout.code());
    }

    private void set(int name, byte value) throws VerbsException {
        id.step(
                VERB,
                (callState, raw, arena) -> id.calls()
                        .setOption(callState, raw, LEVEL_ID, name, arena.allocateFrom(JAVA_BYTE, value), Byte.BYTES));
    }

    private void set(int name, boolean value) throws VerbsException {
        id.step(
                VERB,
                (callState, raw, arena) -> id.calls()
                        .setOption(
                                callState,
                                raw,
                                LEVEL_ID,
                                name,
                                arena.allocateFrom(JAVA_INT, value ? 1 : 0),
                                Integer.BYTES));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.ConnectionId;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a missing acknowledgement of a tool's last message is an error. A peer may end as soon as it has
 * received the last message, and then does not acknowledge it. Disconnecting shows whether the peer still exists,
 * because an existing peer answers the DREQ.
 */
final class LastWord {
    private @Nullable ToolException failure;

    /** Disconnects from the peer. Call this method if the tool's last message was not acknowledged. */
    void unheard(ConnectionId id, ToolException reason) throws VerbsException {
        failure = reason;
        id.disconnect();
    }

    /**
     * Handles the DISCONNECTED event, whose status is not 0 if the peer did not answer the DREQ. In this case, the
     * method throws the exception that was passed to {@link #unheard}, if there is one.
     */
    void onDisconnected(int status) throws ToolException {
        if (failure != null && status != 0) {
            throw failure;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.ConnectionId;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a tool fails if the peer does not acknowledge the last message. The peer's process may exit as soon as it
 * has received the last message, without an acknowledgement. Disconnecting shows whether the peer still exists, because an
 * existing peer replies to the DREQ.
 */
final class LastWord {
    private @Nullable ToolException failure;

    /** Disconnects from a peer that did not acknowledge the last message that this process sent. */
    void unheard(ConnectionId id, ToolException reason) throws VerbsException {
        failure = reason;
        id.disconnect();
    }

    /**
     * Handles the DISCONNECTED event. A {@code status} other than 0 means that the peer did not reply to the DREQ. After a
     * call of {@link #unheard}, a {@code status} other than 0 makes this method throw the {@code reason} of that call.
     */
    void onDisconnected(int status) throws ToolException {
        if (failure != null && status != 0) {
            throw failure;
        }
    }
}

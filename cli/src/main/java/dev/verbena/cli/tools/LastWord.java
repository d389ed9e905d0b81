// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.tools;

import dev.verbena.cm.ConnectionId;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * The last message of an end. Its acknowledgement may not arrive, because a peer may end at once when it has received the
 * message. Ending the connection shows whether the peer still exists, because an existing peer answers the DREQ.
 */
final class LastWord {
    private @Nullable ToolException failure;

    /** The last message was not acknowledged: disconnects from the peer. */
    void unheard(ConnectionId id, ToolException reason) throws VerbsException {
        failure = reason;
        id.disconnect();
    }

    /** The connection has ended. The status is not 0 if the peer did not answer. */
    void onDisconnected(int status) throws ToolException {
        if (failure != null && status != 0) {
            throw failure;
        }
    }
}

package dev.verbena.cli.tools;

import dev.verbena.cm.ConnectionId;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * What an end says last, and does not hear acknowledged: a peer that has got it may go at once, and then nobody acknowledges it any
 * more. Whether that is so shows when the connection is ended: a peer that is there answers the DREQ.
 */
final class LastWord {
    private @Nullable ToolException failure;

    /** The last word was not acknowledged: asks the peer to end the connection. */
    void unheard(ConnectionId id, ToolException reason) throws VerbsException {
        failure = reason;
        id.disconnect();
    }

    /** The connection has ended, with a status other than 0 if nobody answered. */
    void onDisconnected(int status) throws ToolException {
        if (failure != null && status != 0) {
            throw failure;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.Optional;

/**
 * A call of a {@link CmEndpoint} ended with another event than the one it waited for, such as REJECTED instead of
 * ESTABLISHED.
 *
 * <p>{@link #errno()} is the error that librdmacm's synchronous ids return: the event's own, {@code ECONNREFUSED} for
 * REJECTED.
 *
 * @serial exclude
 * @since 1.0
 */
public class CmEventException extends VerbsException {
    private static final long serialVersionUID = 1L;

    private final CmEventType type;
    private final RejectReason rejectReason;
    private final byte[] privateData;

    /**
     * Reports an event.
     *
     * @param event the event that ended the call; read, not acknowledged
     * @param verb the call that waited, in its C spelling
     * @param asked the operation and its object, as the message names them
     */
    public CmEventException(CmEvent event, String verb, String asked) {
        super(errno(event), verb, asked + " ended with " + event.type() + detail(event));
        type = event.type();
        rejectReason = event.rejectReason().orElse(RejectReason.UNKNOWN);
        privateData = event.privateData();
    }

    private static Errno errno(CmEvent event) {
        return event.errno()
                .orElse(
                        switch (event.type()) {
                            case REJECTED -> Errno.ECONNREFUSED;
                            case DISCONNECTED -> Errno.ECONNRESET;
                            case DEVICE_REMOVAL -> Errno.ENODEV;
                            default -> Errno.EHOSTUNREACH;
                        });
    }

    private static String detail(CmEvent event) {
        if (event.rejectReason().isPresent()) {
            return ", reason " + event.rejectReason().get() + " (" + event.status() + ")";
        }
        return event.status() == 0 ? "" : ", status " + event.status();
    }

    /**
     * Returns the type of the event that ended the call.
     *
     * @return the event's type
     */
    public CmEventType type() {
        return type;
    }

    /**
     * Returns why the peer rejected the connection.
     *
     * @return the reason for REJECTED, {@link RejectReason#UNKNOWN} if this release does not know it; otherwise empty
     */
    public Optional<RejectReason> rejectReason() {
        return type == CmEventType.REJECTED ? Optional.of(rejectReason) : Optional.empty();
    }

    /**
     * Returns the private data that the peer sent with the event.
     *
     * @return a copy, padded with zeros as {@link CmEvent#privateData()}; empty where the event has none
     */
    public byte[] privateData() {
        return privateData.clone();
    }
}

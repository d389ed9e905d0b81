// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cm;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.Optional;

/**
 * Reports that a blocking call on a {@link CmEndpoint} or {@link CmListener} received an unexpected event, such as REJECTED
 * instead of ESTABLISHED.
 *
 * <p>If the event has an errno, {@link #errno()} returns the errno of the event. If the event has no errno, {@code errno()}
 * depends on the event type. The event REJECTED causes {@code ECONNREFUSED}, as with librdmacm's synchronous ids. The event
 * DISCONNECTED causes {@code ECONNRESET}, DEVICE_REMOVAL causes {@code ENODEV}, and other events cause {@code
 * EHOSTUNREACH}.
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
     * Creates the exception for an event.
     *
     * @param event the CM event that reports the failure; the constructor of this exception does not acknowledge the event
     * @param verb the C name of the function that waited for the event
     * @param asked the failed operation and the object of the operation, as text for the exception's message
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

    /** {@return the type of the unexpected CM event} */
    public CmEventType type() {
        return type;
    }

    /**
     * {@return the peer's reason if the event was REJECTED, and empty for all other events;
     * {@link RejectReason#UNKNOWN} if Verbena does not know the number of the reason}
     */
    public Optional<RejectReason> rejectReason() {
        return type == CmEventType.REJECTED ? Optional.of(rejectReason) : Optional.empty();
    }

    /**
     * {@return a copy of the private data that the peer sent with the event, padded with zeros in the same way as
     * {@link CmEvent#privateData()}; empty if the event had no private data}
     */
    public byte[] privateData() {
        return privateData.clone();
    }
}

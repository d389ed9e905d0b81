package dev.verbena.cm;

/**
 * Why a peer refused: the reason of a CM REJ message, which is the status of a {@link CmEventType#REJECTED} event.
 *
 * <p>Source: InfiniBand Architecture Specification volume 1, section 12.6.7, and {@code enum ib_cm_rej_reason}.
 *
 * @since 1.0
 */
public final class RejectReason {
    /** The peer gave up waiting. */
    public static final int TIMEOUT = 4;
    /** The message named a connection the peer does not know. */
    public static final int INVALID_COMMUNICATION_ID = 6;
    /** Nobody listens there: the counterpart of a refused connection. */
    public static final int INVALID_SERVICE_ID = 8;
    /** The transport service differs from the listener's. */
    public static final int INVALID_TRANSPORT_TYPE = 9;
    /** The peer still holds a connection with this queue pair number. */
    public static final int STALE_CONNECTION = 10;
    /** The path MTU is not possible at the peer. */
    public static final int INVALID_PATH_MTU = 26;
    /** The application refused; its private data may say more. */
    public static final int CONSUMER_DEFINED = 28;

    private RejectReason() {}
}

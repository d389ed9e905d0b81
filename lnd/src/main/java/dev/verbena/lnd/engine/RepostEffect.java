package dev.verbena.lnd.engine;

/** What a receive buffer that was posted again gives, and to whom. Source: {@code IBLND_POSTRX_*}. */
public enum RepostEffect {
    /** Nothing: the buffer backs a NOOP or a PUT_DONE to come. */
    NONE,
    /** The peer may send another message: a credit is owed. */
    CREDIT,
    /** We may ask the peer for another answer. */
    RESERVED
}

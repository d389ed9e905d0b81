package dev.verbena.wire;

/** The transport service that an {@link Opcode} belongs to, which is what its upper three bits say. */
public enum Transport {
    /** Reliable connection: 0x00. */
    RC,
    /** Unreliable connection: 0x20. */
    UC,
    /** Unreliable datagram: 0x60. QP1, the general services interface, is one of these. */
    UD,
    /** Congestion notification of RoCEv2: 0x80. */
    CNP
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/** The transport service of an {@link Opcode}, encoded in its upper three bits. */
public enum Transport {
    /** Reliable connection: 0x00. */
    RC,
    /** Unreliable connection: 0x20. */
    UC,
    /** Unreliable datagram: 0x60. QP1, the queue pair of the general services interface, uses this transport. */
    UD,
    /** Congestion notification of RoCEv2: 0x80. */
    CNP
}

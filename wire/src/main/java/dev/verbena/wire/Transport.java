// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

/** The transport services, each encoded in the upper three bits of an {@link Opcode}. */
public enum Transport {
    /** Reliable connection: 0x00. */
    RC,
    /** Unreliable connection: 0x20. */
    UC,
    /** Unreliable datagram: 0x60. QP1, the queue pair of the general services interface, also uses UD. */
    UD,
    /** Congestion notification of RoCEv2: 0x80. */
    CNP
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

/** The effect of a reposted receive buffer on the credits. Source: {@code IBLND_POSTRX_*}. */
public enum RepostEffect {
    /** No effect: the buffer is reserved for a later NOOP or PUT_DONE. */
    NONE,
    /** The peer may send another message: this node returns a credit to it. */
    CREDIT,
    /** This node may request another answer from the peer. */
    RESERVED
}

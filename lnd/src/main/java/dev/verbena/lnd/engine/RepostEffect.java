// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

/** The effect of a reposted receive buffer on the credits. Source: {@code IBLND_POSTRX_*}. */
public enum RepostEffect {
    /** The buffer is reserved for a later NOOP or PUT_DONE. */
    NONE,
    /** The node returns a credit to the peer, which may send another message. */
    CREDIT,
    /** The node may send another request, because the buffer is reserved for the answer. */
    RESERVED
}

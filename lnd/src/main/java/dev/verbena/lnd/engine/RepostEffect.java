// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

/** Selects the credit counter that changes when the node posts a receive buffer again. Source: {@code IBLND_POSTRX_*}. */
public enum RepostEffect {
    /** Reposting changes no credit counter, because the receive buffer is for a NOOP or PUT_DONE, which need no credit. */
    NONE,
    /** The node returns a credit to the peer, so that the peer may send another message. */
    CREDIT,
    /** Increments the reserved credits ({@code ibc_reserved_credits}), so the node can send another PUT_REQ or GET_REQ. */
    RESERVED
}

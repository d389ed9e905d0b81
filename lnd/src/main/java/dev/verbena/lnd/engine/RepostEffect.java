// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

/** Selects the credit counter that changes when the node posts a receive buffer again. Source: {@code IBLND_POSTRX_*}. */
public enum RepostEffect {
    /** The receive buffer is reserved for a later NOOP or PUT_DONE, so reposting it changes no credit counter. */
    NONE,
    /** The node returns a credit to the peer, so that the peer may send another message. */
    CREDIT,
    /** The node can reserve another receive buffer for a response, and can then send another PUT_REQ or GET_REQ. */
    RESERVED
}

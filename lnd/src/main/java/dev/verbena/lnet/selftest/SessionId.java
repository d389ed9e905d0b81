// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Nid;

/**
 * Which session a request belongs to.
 *
 * @param console the node that made the session
 * @param stamp when it did, in its own count
 */
record SessionId(Nid console, long stamp) {

    /** No session. */
    static final SessionId NONE = new SessionId(Nid.ANY, -1);
}

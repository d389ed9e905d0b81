// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Nid;

/**
 * The identification of a session.
 *
 * @param console the NID of the node that created the session
 * @param stamp the console's own time stamp of the session
 */
record SessionId(Nid console, long stamp) {

    /** The id which means that no session exists. */
    static final SessionId NONE = new SessionId(Nid.ANY, -1);
}

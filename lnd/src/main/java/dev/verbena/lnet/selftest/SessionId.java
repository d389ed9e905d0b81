// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet.selftest;

import dev.verbena.lnet.Nid;

/**
 * The id of an LNet selftest session. Source: Lustre's {@code struct lst_sid}.
 *
 * @param console the NID of the node that created the session
 * @param stamp the session stamp ({@code ses_stamp}), which the console chose
 */
record SessionId(Nid console, long stamp) {

    /** The id which means that no session exists. */
    static final SessionId NONE = new SessionId(Nid.ANY, -1);
}

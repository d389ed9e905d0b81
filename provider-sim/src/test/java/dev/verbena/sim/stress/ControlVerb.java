// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.stress;

/** The verbs that are called during traffic. */
enum ControlVerb {
    MODIFY_RTS(false),
    MODIFY_SQD(false),
    REREGISTER(false),
    REGISTER_AND_DEREGISTER(false),
    RESIZE_CQ(false),
    MODIFY_SRQ(false),
    /** A window of type 1. */
    BIND_WINDOW(false),
    /** A window of type 2, which must be invalid to be bound. */
    BIND_AND_INVALIDATE(false),
    QUERY(false),
    LINK_DOWN_AND_UP(false),
    DEREGISTER(true),
    REREGISTER_ELSEWHERE(true),
    INVALIDATE_TARGET(true),
    CLOSE_TARGET_WINDOW(true),
    REVOKE_ACCESS(true),
    CLOSE(true),
    MODIFY_ERR(true);

    private final boolean ends;

    ControlVerb(boolean ends) {
        this.ends = ends;
    }

    /** Returns whether requests may fail because of the verb. */
    boolean ends() {
        return ends;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.model;

import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request of a send queue as it was posted, with the model's expectations. */
final class Request {
    final int index;
    final long id;
    final SendOpcode opcode;
    final long posted;
    boolean signaled;
    boolean fenced;
    boolean solicited;
    int length;
    /** The bytes it sends. */
    byte[] payload = {};
    /** The offset of the answer in the memory of this side. */
    int sink;
    /** The offset in the memory of the peer. */
    int remote;
    /** The key it uses at the peer. */
    @Nullable Grant grant;
    /** Whether it exceeds the range of the key. */
    boolean overreaches;

    long compare;
    long operand;
    /** The value that a completed addition found. */
    long found;

    int immediate;
    /** The key that it makes on this side. */
    @Nullable Grant makes;
    /** The key that it ends, on this side or at the peer. */
    @Nullable Grant ends;
    /** The receivers of a datagram; several for a group. */
    @Nullable Set<End> audience;
    /** Whether the post succeeded. */
    boolean taken;
    /** Whether the request has certainly succeeded. */
    boolean succeeded;
    /** The statuses with which it may fail on its own. */
    final Set<WorkCompletionStatus> mayFail = EnumSet.noneOf(WorkCompletionStatus.class);
    /** The statuses of which it must fail with one. */
    final Set<WorkCompletionStatus> mustFail = EnumSet.noneOf(WorkCompletionStatus.class);

    Request(int index, long id, SendOpcode opcode, long posted) {
        this.index = index;
        this.id = id;
        this.opcode = opcode;
        this.posted = posted;
    }

    boolean consumesReceive() {
        return opcode.consumesReceive();
    }

    /** Returns the number of PSNs that it uses. */
    int packets(Setting setting) {
        if (opcode.isLocal()) {
            return 0;
        }
        return opcode == SendOpcode.FLUSH ? 1 : setting.packets(length);
    }

    @Override
    public String toString() {
        return opcode + " " + id + " of " + length + " bytes" + (grant == null ? "" : " with " + grant);
    }
}

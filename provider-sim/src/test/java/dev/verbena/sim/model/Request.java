package dev.verbena.sim.model;

import dev.verbena.verbs.SendOpcode;
import dev.verbena.verbs.WorkCompletionStatus;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request of a send queue as it was posted, and what the model expects of it. */
final class Request {
    final int index;
    final long id;
    final SendOpcode opcode;
    final long posted;
    boolean signaled;
    boolean fenced;
    boolean solicited;
    int length;
    /** What it sends. */
    byte[] payload = {};
    /** Where the answer goes in the memory of this side. */
    int sink;
    /** What it changes or reads in the memory of the peer. */
    int remote;
    /** The key it uses there. */
    @Nullable Grant grant;
    /** Whether it asks for more than the key grants. */
    boolean overreaches;

    long compare;
    long operand;
    /** What an addition found that was signaled as done. */
    long found;

    int immediate;
    /** The key that it makes, here. */
    @Nullable Grant makes;
    /** The key that it ends, here or at the peer. */
    @Nullable Grant ends;
    /** Whom a datagram is for; several in the case of a group. */
    @Nullable Set<End> audience;
    /** Whether the queue took it. */
    boolean taken;
    /** Whether it is known to have succeeded. */
    boolean succeeded;
    /** How it may fail by itself. */
    final Set<WorkCompletionStatus> mayFail = EnumSet.noneOf(WorkCompletionStatus.class);
    /** How it must fail, one of these. */
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

    /** PSNs that it takes. */
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

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.queue;

import dev.verbena.ibverbs.internal.Use;
import dev.verbena.ibverbs.library.NativeHandle;
import dev.verbena.ibverbs.library.Outcome;
import dev.verbena.ibverbs.library.QueuePairCalls;
import dev.verbena.ibverbs.struct.IbvQpAttr;
import dev.verbena.ibverbs.struct.IbvQpInitAttr;
import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/** Modifies and queries the state of a queue pair, and stores the last known state. */
public final class QpControl {
    private static final String MODIFY = "ibv_modify_qp";
    private static final String QUERY = "ibv_query_qp";

    private final QueuePairCalls calls;
    private final NativeHandle handle;
    private final QpType type;
    private final NativeHandle.Destruction destruction;
    private final Set<QpAttribute> set = EnumSet.noneOf(QpAttribute.class);

    /**
     * The state of the queue pair after the last {@link #modify}, {@link #state} or {@link #query}. The device itself
     * changes the state only to SQE or ERR. Other changes need {@code ibv_modify_qp}. Posts are accepted in SQE and ERR.
     */
    private volatile QpState known = QpState.RESET;

    /**
     * The lock that {@link #modify} and {@link #state} hold while they use {@link #modifies} or set {@link #known}. A
     * thread that owns {@code recording} never waits for another lock or for a {@link NativeHandle}.
     */
    private final Object recording = new Object();

    /** Counts the calls of {@link #modify} that have set the queue pair's state. */
    private int modifies;

    public QpControl(QueuePairCalls calls, NativeHandle handle, QpType type, NativeHandle.Destruction destruction) {
        this.calls = calls;
        this.handle = handle;
        this.type = type;
        this.destruction = destruction;
    }

    /**
     * Returns whether sends may be posted in the queue pair's current state. If the last known state does not allow
     * sends, {@code takesSends} queries the device, because the connection manager may have modified the queue pair.
     */
    boolean takesSends() {
        QpState now = known;
        // The usual state RTS is compared first, because the switch over all states needs a table lookup.
        return now == QpState.RTS || takesSends(now) || takesSends(state());
    }

    private static boolean takesSends(QpState state) {
        return switch (state) {
            case RTS, SQD, SQE, ERR -> true;
            case RESET, INIT, RTR -> false;
        };
    }

    boolean takesReceives() {
        return known != QpState.RESET || state() != QpState.RESET;
    }

    synchronized void modify(QpAttributes attributes) throws VerbsException {
        MemorySegment qp = handle.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment raw = arena.allocate(IbvQpAttr.LAYOUT);
            QpAttributeCodec.write(raw, attributes);
            Outcome.check(
                    MODIFY,
                    "modifying " + handle + " (" + type + ", " + known + ") with " + attributes,
                    "use a valid transition with all its required attributes, no others, and values in range",
                    callState -> calls.modifyQp(callState, qp, raw, attributes.mask()));
            if (attributes.has(QpAttribute.STATE)) {
                synchronized (recording) {
                    modifies++;
                    known = attributes.state();
                }
            }
            if (known == QpState.RESET) {
                set.clear();
            } else {
                set.addAll(attributes.present());
            }
        } finally {
            handle.exit();
        }
    }

    /**
     * Records that the connection manager is modifying the queue pair. After this call, {@link #query} also reads the state
     * and the attributes that the connection manager may change.
     */
    public synchronized void managedElsewhere() {
        set.addAll(EnumSet.of(QpAttribute.STATE, QpAttribute.PKEY_INDEX, QpAttribute.PORT));
        set.addAll(
                type == QpType.UD
                        ? EnumSet.of(QpAttribute.QKEY)
                        : EnumSet.of(
                                QpAttribute.ACCESS_FLAGS,
                                QpAttribute.AV,
                                QpAttribute.DEST_QPN,
                                QpAttribute.RQ_PSN,
                                QpAttribute.SQ_PSN,
                                QpAttribute.PATH_MTU));
        if (type == QpType.RC) {
            set.addAll(EnumSet.of(
                    QpAttribute.TIMEOUT,
                    QpAttribute.RETRY_CNT,
                    QpAttribute.RNR_RETRY,
                    QpAttribute.MIN_RNR_TIMER,
                    QpAttribute.MAX_QP_RD_ATOMIC,
                    QpAttribute.MAX_DEST_RD_ATOMIC));
        }
        state();
    }

    /** Queries the queue pair state, and stores it unless a {@link #modify} overlaps with the query. */
    QpState state() {
        int before;
        synchronized (recording) {
            before = modifies;
        }
        try (Arena arena = Arena.ofConfined()) {
            QpState answer = QpAttributeCodec.state(ask(arena, QpAttribute.STATE.mask()));
            synchronized (recording) {
                if (before == modifies) {
                    known = answer;
                }
                return known;
            }
        } catch (VerbsException gone) {
            return known; // A query of a removed device fails; its queue pairs keep their last known state.
        }
    }

    public synchronized QpAttributes query() throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            Set<QpAttribute> wanted = EnumSet.of(QpAttribute.STATE);
            wanted.addAll(set);
            MemorySegment raw = ask(arena, QpAttribute.maskOf(wanted));
            known = QpAttributeCodec.state(raw);
            return QpAttributeCodec.read(raw, set, known);
        }
    }

    /**
     * Queries attributes. A posting thread calls {@code ask} while the thread uses the queue pair's handle. A thread that
     * closes the queue pair waits until the post has ended. This method calls {@link NativeHandle#begin}. {@link
     * NativeHandle#enter} would wait for the closing thread, and the closing thread waits for the post.
     */
    private MemorySegment ask(Arena arena, int mask) throws VerbsException {
        Use use = handle.begin();
        if (use.isNone()) {
            throw handle.closed();
        }
        try {
            MemorySegment raw = arena.allocate(IbvQpAttr.LAYOUT);
            MemorySegment initial = arena.allocate(IbvQpInitAttr.LAYOUT);
            Outcome.check(
                    QUERY,
                    "asking " + handle,
                    "see the kernel log",
                    callState -> calls.queryQp(callState, handle.pointer(), raw, mask, initial));
            return raw;
        } finally {
            handle.done(use);
        }
    }

    void destroy(MemorySegment qp) throws VerbsException {
        destruction.destroy(qp);
    }
}

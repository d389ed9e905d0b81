// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.cluster;

import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.LnetEventType;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One PUT with its ACK, or one GET with its REPLY, between buffers of two nodes. An {@code Operation} checks that none of
 * its LNet events occurs twice and that the received data are correct. The data depend on the operation's index.
 */
final class Operation {
    /** The portal of all PUTs and GETs of the cluster. Lustre uses this portal for bulk data. */
    private static final int PORTAL = 8;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long MIX = 0x9e37_79b9_7f4a_7c15L;

    private final Ledger ledger;
    private final long number;
    private final boolean put;
    private final int size;
    private final Host initiator;
    private final Host target;
    private final int initiatorIncarnation;
    private final int targetIncarnation;
    private final MemorySegment mine;
    private final MemorySegment theirs;
    private final MemoryDescriptor active;
    private final MemoryDescriptor passive;
    private final MatchEntry entry;
    private final long startedAt;
    private boolean sent;
    private boolean answered;
    private boolean failed;
    private boolean unlinking;
    private int served;

    /**
     * Allocates the buffers of the initiator and of the target. {@link #start} attaches the target's buffer to the portal
     * and sends the first message. Throws {@code ENOMEM} if a node cannot allocate its buffer.
     */
    Operation(Ledger ledger, long number, boolean put, int size, Host initiator, Host target, long now)
            throws VerbsException {
        this.ledger = ledger;
        this.number = number;
        this.put = put;
        this.size = size;
        this.initiator = initiator;
        this.target = target;
        startedAt = now;
        initiatorIncarnation = initiator.incarnation();
        targetIncarnation = target.incarnation();
        mine = initiator.node().allocate(Math.max(size, 1));
        try {
            theirs = target.node().allocate(Math.max(size, 1));
        } catch (VerbsException e) {
            initiator.node().free(mine);
            throw e;
        }
        fill(put ? mine : theirs);
        active = MemoryDescriptor.over(mine.asSlice(0, size))
                .threshold(2)
                .handler(this::onActive)
                .build();
        // The target's memory descriptor has no threshold, so that a duplicate message is delivered and detected.
        passive = MemoryDescriptor.over(theirs.asSlice(0, size))
                .options(put ? MdOption.OP_PUT : MdOption.OP_GET, MdOption.MANAGE_REMOTE)
                .handler(this::onPassive)
                .build();
        entry = MatchEntry.on(PORTAL).matchBits(number).build();
    }

    void start() {
        target.node().attach(entry, passive);
        if (put) {
            initiator.node().put(active, true, target.node().id(), PORTAL, number, 0, number);
        } else {
            initiator.node().get(active, target.node().id(), PORTAL, number, 0);
        }
    }

    private void fill(MemorySegment memory) {
        for (long at = 0; at + Long.BYTES <= size; at += Long.BYTES) {
            memory.set(WORD, at, word(at));
        }
        for (long at = size & -Long.BYTES; at < size; at++) {
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) word(at));
        }
    }

    private boolean isWhole(MemorySegment memory) {
        for (long at = 0; at + Long.BYTES <= size; at += Long.BYTES) {
            if (memory.get(WORD, at) != word(at)) {
                return false;
            }
        }
        for (long at = size & -Long.BYTES; at < size; at++) {
            if (memory.get(ValueLayout.JAVA_BYTE, at) != (byte) word(at)) {
                return false;
            }
        }
        return true;
    }

    private long word(long at) {
        return (number * MIX + at) * MIX;
    }

    private void onActive(LnetEvent event) {
        ledger.saw(number, event);
        if (event.type() == LnetEventType.UNLINK || unlinking) {
            return;
        }
        failed |= !event.isSuccess();
        if (event.type() == LnetEventType.SEND) {
            require(!sent, "was reported as sent twice");
            sent = true;
        } else {
            require(!answered, "was answered twice");
            answered = true;
            require(put || failed || isWhole(mine), "returned data that differ from the data of the target");
        }
        if (isDelivered()) {
            ledger.delivered(size);
        }
    }

    private void onPassive(LnetEvent event) {
        ledger.saw(number, event);
        // If the acknowledgement of the REPLY's last packet is lost, the target reports an error although the whole
        // REPLY may have arrived.
        boolean isServed = event.isSuccess() || !put;
        if (event.type() == LnetEventType.UNLINK || !isServed) {
            return;
        }
        served++;
        require(served == 1, "was served twice");
        require(!put || isWhole(theirs), "delivered data that differ from the data sent");
    }

    boolean isDelivered() {
        return sent && answered && !failed;
    }

    /**
     * Returns whether the initiator has received the SEND event of the operation, or has crashed. After the SEND event, the
     * ACK or REPLY may still be in flight.
     */
    boolean isSent() {
        return sent || !initiatorLives();
    }

    long startedAt() {
        return startedAt;
    }

    /** Checks that the target served a delivered PUT or GET, counts an undelivered one, and frees both buffers. */
    void retire() {
        if (isDelivered()) {
            require(served > 0 || !targetLives(), "was reported as delivered but never served");
        } else {
            ledger.undelivered(initiatorLives());
        }
        unlinking = true;
        if (initiatorLives()) {
            initiator.node().unlink(active);
            initiator.node().free(mine);
        }
        if (targetLives()) {
            target.node().unlink(entry);
            target.node().free(theirs);
        }
    }

    private boolean initiatorLives() {
        return initiator.isUp() && initiator.incarnation() == initiatorIncarnation;
    }

    private boolean targetLives() {
        return target.isUp() && target.incarnation() == targetIncarnation;
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            ledger.violated(this + " " + otherwise);
        }
    }

    @Override
    public String toString() {
        return (put ? "PUT " : "GET ") + number + " of " + size + " bytes from " + initiator + " to " + target;
    }
}

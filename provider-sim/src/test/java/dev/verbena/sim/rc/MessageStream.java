package dev.verbena.sim.rc;

import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Messages of 64 KiB from one endpoint to another, each of which says which one it is, checked when they arrive. */
final class MessageStream {
    static final int LENGTH = 1 << 16;
    static final int SEND_SLOTS = 7;
    static final int RECEIVE_SLOTS = 15;
    static final long MEMORY = (long) (SEND_SLOTS + RECEIVE_SLOTS) * LENGTH;

    private final Endpoint from;
    private final Endpoint to;
    private final int messages;
    private final SendRequests sends;
    private final ReceiveRequests receives;
    private final WorkCompletions sendCompletions;
    private final WorkCompletions receiveCompletions;
    private final MemorySegment pattern = MemorySegment.ofArray(new byte[LENGTH]);
    private final List<String> failures = new ArrayList<>();
    private int posted;
    private int completed;
    private int received;
    private boolean receivesPosted;
    private @Nullable WorkCompletionStatus failedWith;
    private boolean receiverFailed;

    MessageStream(Endpoint from, Endpoint to, int messages, int salt) {
        this.from = from;
        this.to = to;
        this.messages = messages;
        sends = from.qp().newSendRequests(1);
        receives = to.qp().newReceiveRequests(1);
        sendCompletions = from.qp().sendCq().newCompletions(SEND_SLOTS);
        receiveCompletions = to.qp().receiveCq().newCompletions(RECEIVE_SLOTS);
        byte[] bytes = new byte[LENGTH];
        new Random(salt).nextBytes(bytes);
        pattern.copyFrom(MemorySegment.ofArray(bytes));
        for (int slot = 0; slot < SEND_SLOTS; slot++) {
            sendSlot(slot).copyFrom(pattern);
        }
    }

    private MemorySegment sendSlot(int slot) {
        return from.node().memory().asSlice((long) slot * LENGTH, LENGTH);
    }

    private static long receiveOffset(int slot) {
        return (long) (SEND_SLOTS + slot) * LENGTH;
    }

    /** Posts and polls; true when everything has come, or the queue pairs failed. */
    boolean step() {
        if (!receivesPosted) {
            receivesPosted = true;
            for (int slot = 0; slot < RECEIVE_SLOTS; slot++) {
                postReceive(slot);
            }
        }
        while (posted < messages && posted - completed < SEND_SLOTS && failedWith == null) {
            int slot = posted % SEND_SLOTS;
            stamp(sendSlot(slot), posted);
            sends.get(0).send().id(posted).signaled().sge(from.node().region(), (long) slot * LENGTH, LENGTH);
            from.qp().postSend(sends, 1);
            posted++;
        }
        pollSends();
        pollReceives();
        return failedWith != null || receiverFailed || (completed == messages && received == messages);
    }

    /** Each message has its number in one place, which is another one for each. */
    private static void stamp(MemorySegment message, int number) {
        message.set(ValueLayout.JAVA_LONG, stampOffset(number), number);
    }

    private static long stampOffset(int number) {
        return (long) (number * 7 % (LENGTH / Long.BYTES)) * Long.BYTES;
    }

    private void postReceive(int slot) {
        receives.get(0).clear().id(slot).sge(to.node().region(), receiveOffset(slot), LENGTH);
        to.qp().postReceive(receives, 1);
    }

    private void pollSends() {
        while (from.qp().sendCq().poll(sendCompletions) > 0) {
            for (int i = 0; i < sendCompletions.count(); i++) {
                WorkCompletion completion = sendCompletions.get(i);
                if (!completion.isSuccess()) {
                    failedWith = failedWith == null ? completion.status() : failedWith;
                    continue;
                }
                if (completion.workRequestId() != completed) {
                    failures.add("send " + completion.workRequestId() + " completed, not " + completed);
                }
                check(sendSlot(completed % SEND_SLOTS), completed, "the source of");
                sendSlot(completed % SEND_SLOTS).copyFrom(pattern);
                completed++;
            }
        }
    }

    private void pollReceives() {
        while (to.qp().receiveCq().poll(receiveCompletions) > 0) {
            for (int i = 0; i < receiveCompletions.count(); i++) {
                WorkCompletion completion = receiveCompletions.get(i);
                if (!completion.isSuccess()) {
                    receiverFailed = true;
                    continue;
                }
                int slot = (int) completion.workRequestId();
                if (completion.byteLength() != LENGTH || slot != received % RECEIVE_SLOTS) {
                    failures.add(
                            "receive " + slot + " of " + completion.byteLength() + " bytes as message " + received);
                }
                check(to.node().memory().asSlice(receiveOffset(slot), LENGTH), received, "the received");
                received++;
                postReceive(slot);
            }
        }
    }

    private void check(MemorySegment message, int number, String what) {
        long at = stampOffset(number);
        boolean same = message.get(ValueLayout.JAVA_LONG, at) == number
                && MemorySegment.mismatch(message, 0, at, pattern, 0, at) < 0
                && MemorySegment.mismatch(message, at + Long.BYTES, LENGTH, pattern, at + Long.BYTES, LENGTH) < 0;
        if (!same) {
            failures.add(what + " message " + number + " is altered");
        }
    }

    List<String> failures() {
        return failures;
    }

    /** Messages that arrived. */
    int received() {
        return received;
    }

    /** How the first send that failed ended, or null. */
    @Nullable WorkCompletionStatus failedWith() {
        return failedWith;
    }
}

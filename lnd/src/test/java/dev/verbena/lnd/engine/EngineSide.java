// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnd.wire.MessageType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of a modelled connection: an engine, the messages on their way to the other end, and the completions that have
 * not been polled. Answers requests as a driver does. Receive buffers are counted, so that a message that meets none shows.
 */
final class EngineSide implements EnginePort<EngineSide.Tx> {

    /** A descriptor that knows whether it is done, and how often. */
    static final class Tx extends Transmit {
        private int done;
        private int result = 1;
        private long first;
        private long second;

        void payload(long cookie, long secondCookie) {
            first = cookie;
            second = secondCookie;
        }

        int doneCount() {
            return done;
        }

        int result() {
            return result;
        }
    }

    /** A message on the wire. */
    record Wire(MessageType type, int credits, long cookie, long secondCookie) {}

    private final int depth;
    private final ConnectionEngine<Tx> engine;
    private final Deque<Wire> outgoing = new ArrayDeque<>();
    private final Deque<Tx> completions = new ArrayDeque<>();
    private final List<Tx> users = new ArrayList<>();
    private final List<Integer> failures = new ArrayList<>();
    private final List<MessageType> posted = new ArrayList<>();
    private @Nullable EngineSide peer;
    private int buffers;
    private int awaitedPutDone;
    private long nextCookie;
    private int postStatus;
    private boolean throwing;
    private boolean refusePuts;

    EngineSide(EngineLimits limits) {
        depth = limits.queueDepth();
        buffers = 2 * depth + 2;
        engine = new ConnectionEngine<>(limits, this);
    }

    static void connect(EngineSide a, EngineSide b) {
        a.peer = b;
        b.peer = a;
        a.engine.established(0);
        b.engine.established(0);
    }

    ConnectionEngine<Tx> engine() {
        return engine;
    }

    Deque<Wire> outgoing() {
        return outgoing;
    }

    Deque<Tx> completions() {
        return completions;
    }

    List<Tx> users() {
        return users;
    }

    List<Integer> failures() {
        return failures;
    }

    List<MessageType> posted() {
        return posted;
    }

    void refusePuts(boolean refuse) {
        refusePuts = refuse;
    }

    void failPosts(int status) {
        postStatus = status;
    }

    void throwInPosts(boolean on) {
        throwing = on;
    }

    /** A user's message. */
    Tx start(MessageType type) {
        Tx tx = make(type, nextCookie++);
        tx.payload(tx.cookie(), 0);
        users.add(tx);
        engine.queue(tx, 0);
        return tx;
    }

    private static Tx make(MessageType type, long cookie) {
        Tx tx = new Tx();
        tx.reset(type, cookie);
        return tx;
    }

    private void answer(MessageType type, long cookie, long second) {
        Tx tx = make(type, type == MessageType.PUT_ACK ? second : cookie);
        tx.payload(cookie, second);
        engine.queue(tx, 0);
    }

    @Override
    public int post(Tx tx, int credits) {
        if (throwing) {
            throw new UnsupportedOperationException("a fault");
        }
        if (postStatus < 0) {
            return postStatus;
        }
        posted.add(tx.type());
        outgoing.add(new Wire(tx.type(), credits, tx.first, tx.second));
        completions.add(tx);
        return 0;
    }

    @Override
    public Tx takeNoop() {
        return make(MessageType.NOOP, -1);
    }

    @Override
    public void done(Tx tx) {
        assertThat(tx.isIdle()).as("%s", tx).isTrue();
        tx.done++;
        tx.result = tx.status();
    }

    @Override
    public void fail(int errno) {
        failures.add(errno);
    }

    void complete(boolean success) {
        engine.sendCompleted(completions.remove(), success, 0);
    }

    void receive() {
        Wire message = Objects.requireNonNull(peer).outgoing.remove();
        assertThat(buffers).as("a receive buffer for %s", message).isPositive();
        buffers--;
        assertThat(engine.creditsReceived(message.credits(), 0))
                .as("%s", message)
                .isTrue();
        RepostEffect effect = handle(message);
        buffers++;
        assertThat(engine.reposted(effect, 0)).as("%s", message).isTrue();
    }

    private RepostEffect handle(Wire message) {
        return switch (message.type()) {
            case NOOP -> RepostEffect.NONE;
            case IMMEDIATE -> RepostEffect.CREDIT;
            case PUT_REQ -> {
                if (refusePuts) {
                    answer(MessageType.PUT_NAK, message.cookie(), 0);
                    yield RepostEffect.CREDIT;
                }
                awaitedPutDone++;
                answer(MessageType.PUT_ACK, message.cookie(), nextCookie++);
                yield RepostEffect.NONE;
            }
            case GET_REQ -> {
                answer(MessageType.GET_DONE, message.cookie(), 0);
                yield RepostEffect.CREDIT;
            }
            case PUT_NAK -> {
                engine.answered(find(MessageType.PUT_REQ, message.cookie()), 0);
                yield RepostEffect.RESERVED;
            }
            case GET_DONE -> {
                engine.answered(find(MessageType.GET_REQ, message.cookie()), 0);
                yield RepostEffect.RESERVED;
            }
            case PUT_ACK -> {
                Tx tx = find(MessageType.PUT_REQ, message.cookie());
                engine.reclaim(tx);
                tx.become(MessageType.PUT_DONE);
                tx.payload(message.secondCookie(), 0);
                engine.queue(tx, 0);
                yield RepostEffect.RESERVED;
            }
            case PUT_DONE -> {
                awaitedPutDone--;
                engine.answered(find(MessageType.PUT_ACK, message.cookie()), 0);
                yield RepostEffect.CREDIT;
            }
            case CONNREQ, CONNACK -> throw new AssertionError(message);
        };
    }

    private Tx find(MessageType type, long cookie) {
        return Objects.requireNonNull(engine.findWaiting(type, cookie), type + " " + cookie);
    }

    void checkInvariants() {
        EngineSide other = Objects.requireNonNull(peer);
        assertThat(engine.credits()).isBetween(0, depth);
        assertThat(engine.outstanding()).isBetween(0, depth);
        assertThat(engine.reserved()).isBetween(0, depth);
        assertThat(engine.noopsPosted()).isBetween(0, 2);
        long unconsumed = outgoing.stream()
                .filter(message -> message.type().needsCredit())
                .count();
        int returning = other.outgoing.stream().mapToInt(Wire::credits).sum();
        assertThat(engine.credits() + unconsumed + other.awaitedPutDone + other.engine.outstanding() + returning)
                .as("credits of one end, buffers in use and owed at the other")
                .isEqualTo(depth);
        assertThat(outgoing.size()).as("messages on their way").isLessThanOrEqualTo(other.buffers);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.lnd.wire.MessageType;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of credits and queues, one by one, and all of them at once under random traffic. */
class ConnectionEngineTest {

    private static final int DEPTH = 8;
    private static final long TIMEOUT = Duration.ofSeconds(50).toNanos();
    private static final long KEEPALIVE = Duration.ofSeconds(100).toNanos();
    private static final EngineLimits DEFAULTS = new EngineLimits(DEPTH, 4, DEPTH, TIMEOUT, KEEPALIVE);

    private final EngineSide a = new EngineSide(DEFAULTS);
    private final EngineSide b = new EngineSide(DEFAULTS);

    private void connect() {
        EngineSide.connect(a, b);
    }

    /** Delivers and completes everything until nothing moves. */
    private static void settle(EngineSide a, EngineSide b) {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (EngineSide side : List.of(a, b)) {
                EngineSide other = side == a ? b : a;
                while (!side.outgoing().isEmpty()) {
                    other.receive();
                    moved = true;
                }
                while (!side.completions().isEmpty()) {
                    side.complete(true);
                    moved = true;
                }
                a.checkInvariants();
                b.checkInvariants();
            }
        }
    }

    @Property(tries = 300)
    void randomTrafficConservesCreditsAndEndsEverythingOnce(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 20) int depth,
            @ForAll @IntRange(min = 1, max = 20) int mark,
            @ForAll @IntRange(min = 1, max = 40) int concurrent) {
        EngineLimits limits = new EngineLimits(depth, Math.min(depth, mark), concurrent, TIMEOUT, 0);
        EngineSide left = new EngineSide(limits);
        EngineSide right = new EngineSide(limits);
        EngineSide.connect(left, right);
        Random random = new Random(seed);
        List<EngineSide> sides = List.of(left, right);
        for (int step = 0; step < 400; step++) {
            EngineSide side = sides.get(random.nextInt(2));
            EngineSide other = side == left ? right : left;
            switch (random.nextInt(8)) {
                case 0 -> side.start(MessageType.IMMEDIATE);
                case 1 -> side.start(MessageType.PUT_REQ);
                case 2 -> side.start(MessageType.GET_REQ);
                case 3, 4, 5 -> {
                    if (!other.outgoing().isEmpty()) {
                        side.receive();
                    }
                }
                case 6 -> {
                    if (!side.completions().isEmpty()) {
                        side.complete(true);
                    }
                }
                default -> side.refusePuts(random.nextBoolean());
            }
            left.checkInvariants();
            right.checkInvariants();
        }
        settle(left, right);
        for (EngineSide side : sides) {
            assertThat(side.users()).allMatch(tx -> tx.doneCount() == 1 && tx.result() == 0);
            assertThat(side.engine().pending()).isZero();
            assertThat(side.engine().sendsPosted()).isZero();
            assertThat(side.engine().reserved()).isEqualTo(depth);
            assertThat(side.failures()).isEmpty();
        }
        assertThat(left.engine().credits() + right.engine().outstanding()).isEqualTo(depth);
        assertThat(right.engine().credits() + left.engine().outstanding()).isEqualTo(depth);
    }

    @Property(tries = 200)
    void anAbortAtAnyMomentEndsEverythingOnceWhenTheCompletionsAreIn(
            @ForAll long seed, @ForAll @IntRange(min = 0, max = 200) int steps, @ForAll boolean flush) {
        EngineSide left = new EngineSide(DEFAULTS);
        EngineSide right = new EngineSide(DEFAULTS);
        EngineSide.connect(left, right);
        Random random = new Random(seed);
        for (int step = 0; step < steps; step++) {
            EngineSide side = random.nextBoolean() ? left : right;
            EngineSide other = side == left ? right : left;
            switch (random.nextInt(5)) {
                case 0 -> side.start(MessageType.IMMEDIATE);
                case 1 -> side.start(MessageType.PUT_REQ);
                case 2 -> side.start(MessageType.GET_REQ);
                case 3 -> {
                    if (!other.outgoing().isEmpty()) {
                        side.receive();
                    }
                }
                default -> {
                    if (!side.completions().isEmpty()) {
                        side.complete(true);
                    }
                }
            }
        }
        left.engine().abort(0);
        assertThat(left.users()).allMatch(tx -> tx.doneCount() == (tx.isIdle() ? 1 : 0));
        EngineSide.Tx late = left.start(MessageType.PUT_REQ);
        assertThat(late.doneCount()).isEqualTo(1);
        assertThat(late.result()).isEqualTo(-103);
        if (flush) {
            while (!left.completions().isEmpty()) {
                left.complete(false);
            }
        } else {
            left.engine().terminate();
        }
        assertThat(left.users()).allMatch(tx -> tx.doneCount() == 1);
        assertThat(left.engine().pending()).isZero();
        assertThat(left.engine().sendsPosted()).isZero();
    }

    @Test
    void nothingIsSentBeforeTheConnectionIsUp() {
        a.start(MessageType.IMMEDIATE);
        assertThat(a.posted()).isEmpty();
        connect();
        assertThat(a.posted()).containsExactly(MessageType.IMMEDIATE);
    }

    @Test
    void aMessageThatNeedsACreditWaitsForOne() {
        EngineLimits roomy = new EngineLimits(DEPTH, DEPTH, 2 * DEPTH, TIMEOUT, 0);
        EngineSide left = new EngineSide(roomy);
        EngineSide right = new EngineSide(roomy);
        EngineSide.connect(left, right);
        for (int i = 0; i < DEPTH + 1; i++) {
            left.start(MessageType.IMMEDIATE);
        }
        assertThat(left.posted()).hasSize(DEPTH);
        assertThat(left.engine().credits()).isZero();
        right.receive();
        right.start(MessageType.IMMEDIATE);
        left.receive();
        assertThat(left.posted()).hasSize(DEPTH + 1);
    }

    @Test
    void fourMessagesOneWayBringANoopThatReturnsFourCredits() {
        connect();
        for (int i = 0; i < 4; i++) {
            a.start(MessageType.IMMEDIATE);
            b.receive();
        }
        assertThat(b.outgoing()).containsExactly(new EngineSide.Wire(MessageType.NOOP, 4, 0, 0));
        a.receive();
        assertThat(a.engine().credits()).isEqualTo(DEPTH);
        assertThat(b.engine().outstanding()).isZero();
    }

    @Test
    void aNoopIsNotSentWhenAMessageCarriesTheCredits() {
        connect();
        for (int i = 0; i < 3; i++) {
            a.start(MessageType.IMMEDIATE);
            b.receive();
        }
        b.start(MessageType.IMMEDIATE);
        assertThat(b.outgoing()).containsExactly(new EngineSide.Wire(MessageType.IMMEDIATE, 3, 0, 0));
    }

    @Test
    void noMoreThanTwoNoopsAreWithoutCompletion() {
        connect();
        for (int i = 0; i < 12; i++) {
            a.start(MessageType.IMMEDIATE);
            a.complete(true);
            b.receive();
            if (!b.outgoing().isEmpty()) {
                a.receive();
            }
        }
        assertThat(b.posted()).hasSize(2).containsOnly(MessageType.NOOP);
        assertThat(b.engine().outstanding()).isEqualTo(4);
        b.complete(true);
        assertThat(b.posted()).hasSize(3);
    }

    @Test
    void asManyAnswersAreAskedForAsThereAreBuffersForThem() {
        EngineLimits roomy = new EngineLimits(DEPTH, DEPTH, 4 * DEPTH, TIMEOUT, 0);
        EngineSide left = new EngineSide(roomy);
        EngineSide right = new EngineSide(roomy);
        EngineSide.connect(left, right);
        for (int i = 0; i < DEPTH; i++) {
            left.start(MessageType.GET_REQ);
            right.receive();
        }
        left.start(MessageType.GET_REQ);
        assertThat(left.posted()).hasSize(DEPTH);
        assertThat(left.engine().reserved()).isZero();
        left.receive();
        // The first answer left before its request's buffer was free, so only the second one brings a credit.
        assertThat(left.engine().credits()).isZero();
        left.receive();
        assertThat(left.posted()).hasSize(DEPTH + 1);
    }

    @Test
    void sendsWithoutCompletionAreLimited() {
        EngineLimits narrow = new EngineLimits(DEPTH, 4, 4, TIMEOUT, 0);
        EngineSide left = new EngineSide(narrow);
        EngineSide right = new EngineSide(narrow);
        EngineSide.connect(left, right);
        for (int i = 0; i < 6; i++) {
            left.start(MessageType.IMMEDIATE);
        }
        assertThat(left.posted()).hasSize(4);
        left.complete(true);
        assertThat(left.posted()).hasSize(5);
    }

    @Test
    void answersGoBeforeMessagesThatNeedCredits() {
        EngineLimits narrow = new EngineLimits(DEPTH, DEPTH, 4, TIMEOUT, 0);
        EngineSide left = new EngineSide(narrow);
        EngineSide right = new EngineSide(narrow);
        EngineSide.connect(left, right);
        for (int i = 0; i < 5; i++) {
            left.start(MessageType.IMMEDIATE);
        }
        right.start(MessageType.GET_REQ);
        left.receive();
        left.complete(true);
        left.complete(true);
        assertThat(left.posted())
                .containsExactly(
                        MessageType.IMMEDIATE,
                        MessageType.IMMEDIATE,
                        MessageType.IMMEDIATE,
                        MessageType.IMMEDIATE,
                        MessageType.GET_DONE,
                        MessageType.IMMEDIATE);
    }

    @Test
    void aPutWhoseAckOvertakesTheCompletionOfItsRequestEndsOnce() {
        connect();
        EngineSide.Tx put = a.start(MessageType.PUT_REQ);
        b.receive();
        a.receive();
        assertThat(a.posted()).containsExactly(MessageType.PUT_REQ, MessageType.PUT_DONE);
        a.complete(true);
        assertThat(put.doneCount()).isZero();
        a.complete(true);
        assertThat(put.doneCount()).isEqualTo(1);
    }

    @Test
    void aGetWhoseAnswerOvertakesItsCompletionEndsOnce() {
        connect();
        EngineSide.Tx get = a.start(MessageType.GET_REQ);
        b.receive();
        a.receive();
        assertThat(get.doneCount()).isZero();
        a.complete(true);
        assertThat(get.doneCount()).isEqualTo(1);
        assertThat(a.engine().findWaiting(MessageType.GET_REQ, get.cookie())).isNull();
    }

    @Test
    void anAnswerIsMatchedByTypeAsWellAsByCookie() {
        connect();
        EngineSide.Tx get = a.start(MessageType.GET_REQ);
        assertThat(a.engine().findWaiting(MessageType.PUT_REQ, get.cookie())).isNull();
        assertThat(a.engine().findWaiting(MessageType.GET_REQ, get.cookie() + 1))
                .isNull();
        assertThat(a.engine().findWaiting(MessageType.GET_REQ, get.cookie())).isSameAs(get);
    }

    @Test
    void moreCreditsThanTheDepthAreAProtocolError() {
        connect();
        assertThat(a.engine().creditsReceived(1, 0)).isFalse();
        a.start(MessageType.IMMEDIATE);
        assertThat(a.engine().creditsReceived(2, 0)).isFalse();
        assertThat(a.engine().creditsReceived(1, 0)).isTrue();
    }

    @Test
    void aFailedSendFailsItsMessageAndTheConnection() {
        connect();
        EngineSide.Tx put = a.start(MessageType.PUT_REQ);
        a.complete(false);
        assertThat(put.doneCount()).isEqualTo(1);
        assertThat(put.result()).isEqualTo(-5);
        assertThat(a.failures()).containsExactly(-5);
    }

    @Test
    void aPostThatFailsKeepsItsMessageUntilTheQueuePairIsInError() {
        connect();
        a.failPosts(-12);
        EngineSide.Tx put = a.start(MessageType.PUT_REQ);
        assertThat(a.failures()).containsExactly(-12);
        assertThat(put.doneCount()).isZero();
        assertThat(a.engine().credits()).isEqualTo(DEPTH);
        a.failPosts(0);
        EngineSide.Tx next = a.start(MessageType.IMMEDIATE);
        assertThat(a.posted()).isEmpty();
        a.engine().abort(0);
        assertThat(put.doneCount()).isEqualTo(1);
        assertThat(put.result()).isEqualTo(-12);
        assertThat(next.result()).isEqualTo(-103);
    }

    @Test
    void aPostThatThrowsFailsTheConnectionAndItsMessageEndsWithTheAbort() {
        connect();
        a.throwInPosts(true);
        assertThatThrownBy(() -> a.start(MessageType.PUT_REQ)).hasMessage("a fault");
        EngineSide.Tx put = a.users().getFirst();
        assertThat(a.failures()).containsExactly(-5);
        assertThat(put.doneCount()).isZero();
        assertThat(a.engine().credits()).isEqualTo(DEPTH);
        a.engine().abort(0);
        assertThat(put.doneCount()).isEqualTo(1);
        assertThat(put.result()).isEqualTo(-5);
    }

    @Test
    void anIdleConnectionSendsANoopAfterTheKeepaliveTime() {
        connect();
        a.engine().checkSends(KEEPALIVE - 1);
        assertThat(a.posted()).isEmpty();
        a.engine().checkSends(KEEPALIVE);
        assertThat(a.posted()).containsExactly(MessageType.NOOP);
        a.engine().checkSends(KEEPALIVE + 1);
        assertThat(a.posted()).hasSize(1);
        a.engine().checkSends(2 * KEEPALIVE);
        assertThat(a.posted()).hasSize(2);
    }

    @Test
    void aMessageIsOverdueAfterTheTimeoutWhereverItIs() {
        connect();
        a.start(MessageType.GET_REQ);
        assertThat(a.engine().isOverdue(TIMEOUT - 1)).isFalse();
        assertThat(a.engine().isOverdue(TIMEOUT)).isTrue();
        a.complete(true);
        assertThat(a.engine().isOverdue(TIMEOUT)).isTrue();
        b.receive();
        a.receive();
        assertThat(a.engine().isOverdue(TIMEOUT)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"8, 4, 8, 4", "8, 16, 32, 4", "8, 23, 32, 5", "8, 31, 32, 7", "32, 16, 32, 16", "1, 16, 32, 1"})
    void theMarkForReturningCreditsShrinksWithTheDepth(int depth, int hiw, int configured, int mark) {
        assertThat(EngineLimits.highWater(depth, hiw, configured)).isEqualTo(mark);
    }

    /** The monotonic clock has an arbitrary origin, so that its readings may wrap. */
    @Test
    void deadlinesAndKeepalivesHoldWhileTheClockWraps() {
        long keepalive = TIMEOUT / 2;
        EngineSide side = new EngineSide(new EngineLimits(8, 4, 8, TIMEOUT, keepalive));
        long start = Long.MAX_VALUE - keepalive / 2;
        side.engine().established(start);
        side.engine().checkSends(start + keepalive - 1);
        assertThat(side.outgoing()).isEmpty();
        side.engine().checkSends(start + keepalive);
        assertThat(side.outgoing()).extracting(EngineSide.Wire::type).containsExactly(MessageType.NOOP);
        EngineSide.Tx request = new EngineSide.Tx();
        request.reset(MessageType.PUT_REQ, -1);
        side.engine().queue(request, start);
        assertThat(side.engine().isOverdue(start + TIMEOUT - 1)).isFalse();
        assertThat(side.engine().isOverdue(start + TIMEOUT)).isTrue();
    }
}

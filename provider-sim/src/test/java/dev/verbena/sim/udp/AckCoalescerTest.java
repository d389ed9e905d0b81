// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** The share of acknowledgements that are held, and the duration of holding. */
class AckCoalescerTest {
    private static final int MANY = 100_000;

    private final AckCoalescer coalescer = new AckCoalescer();
    private int psn;

    /** Adds an acknowledgement that the application follows by a request at once. Returns whether it is held. */
    private boolean isHeldAfterAnswer() {
        coalescer.added();
        assertThat(coalescer.endPoll(true)).isFalse();
        coalescer.answered(++psn);
        return coalescer.isHeld();
    }

    /** Polls until the acknowledgement is sent; returns the number of polls. */
    private int pollsUntilItIsSent() {
        int polls = 1;
        while (!coalescer.endPoll(false)) {
            polls++;
        }
        coalescer.left();
        return polls;
    }

    /** Returns the number of acknowledgements that are held for a peer that waits for each of them. */
    private int heldInVain(int messages) {
        int held = 0;
        for (int i = 0; i < messages; i++) {
            if (isHeldAfterAnswer()) {
                held++;
                assertThat(pollsUntilItIsSent()).isEqualTo(AckCoalescer.MAX_POLLS);
            } else {
                assertThat(pollsUntilItIsSent()).isEqualTo(1);
            }
        }
        return held;
    }

    /** Returns the number of messages until every acknowledgement is held, if each held one is replaced by the next. */
    private int messagesUntilAllAreHeld() {
        int messages = 0;
        int inARow = 0;
        while (inARow < AckCoalescer.MAX_REPLACED) {
            messages++;
            if (isHeldAfterAnswer()) {
                inARow++;
                coalescer.replaced();
                coalescer.left();
            } else {
                inARow = 0;
                pollsUntilItIsSent();
            }
            assertThat(messages).isLessThan(MANY);
        }
        return messages;
    }

    @Example
    void aPeerThatWaitsForEachAcknowledgementIsDelayedEverLessOften() {
        assertThat(heldInVain(16)).isEqualTo(4);
        assertThat(heldInVain(MANY)).isLessThan(MANY / AckCoalescer.MAX_PASSED + 11);
    }

    @Example
    void replacementsRaiseTheShareOfHeldAcknowledgementsAgain() {
        heldInVain(MANY);
        assertThat(messagesUntilAllAreHeld()).isLessThan(3 * AckCoalescer.MAX_PASSED);
    }

    @Example
    void onePeerInSixteenThatWaitsCostsLittle() {
        int held = 0;
        for (int i = 0; i < 160; i++) {
            if (isHeldAfterAnswer()) {
                held++;
                if (i % 16 == 0) {
                    coalescer.acknowledged(psn);
                    assertThat(coalescer.endPoll(true)).isTrue();
                } else {
                    coalescer.replaced();
                }
            }
            coalescer.left();
        }
        assertThat(held).isGreaterThan(140);
    }

    @Example
    void aResponseOfAnotherKindIsIgnored() {
        assertThat(isHeldAfterAnswer()).isTrue();
        coalescer.acknowledged(psn - 1);
        coalescer.acknowledged(psn + (1 << 20));
        assertThat(coalescer.endPoll(true)).isFalse();
        coalescer.acknowledged(psn);
        assertThat(coalescer.endPoll(true)).isTrue();
    }

    @Example
    void onlyTheFirstRequestAfterTheAcknowledgementDecides() {
        assertThat(isHeldAfterAnswer()).isTrue();
        coalescer.answered(++psn);
        assertThat(coalescer.endPoll(true)).isFalse();
        coalescer.acknowledged(psn - 1);
        assertThat(coalescer.endPoll(true)).isTrue();
    }

    /** As when both sides send without a pause: each poll finds the peer's next message and room for this side's. */
    @Example
    void anAcknowledgementReplacedInEachPollIsStillSent() {
        assertThat(isHeldAfterAnswer()).isTrue();
        for (int i = 1; i < AckCoalescer.MAX_REPLACED; i++) {
            coalescer.replaced();
            coalescer.answered(++psn);
            assertThat(coalescer.endPoll(true)).isFalse();
        }
        coalescer.replaced();
        coalescer.answered(++psn);
        assertThat(coalescer.endPoll(true)).isTrue();
    }

    /** The share applies to acknowledgements, regardless of the number of packets of the reactions. */
    @Example
    void requestsThatFollowEachOtherDecideOnce() {
        heldInVain(MANY);
        int held = 0;
        for (int i = 0; i < MANY; i++) {
            coalescer.added();
            for (int packet = 0; packet < 64; packet++) {
                coalescer.answered(++psn);
            }
            held += coalescer.isHeld() ? 1 : 0;
            coalescer.left();
        }
        assertThat(held).isLessThan(2 * MANY / AckCoalescer.MAX_PASSED);
    }

    enum Event {
        ADDED,
        REPLACED,
        ANSWERED,
        ACKNOWLEDGED,
        POLL,
        IDLE_LOOK,
        FLUSHED
    }

    @Provide
    Arbitrary<List<Event>> events() {
        return Arbitraries.frequency(
                        Tuple.of(2, Event.ADDED),
                        Tuple.of(3, Event.REPLACED),
                        Tuple.of(4, Event.ANSWERED),
                        Tuple.of(1, Event.ACKNOWLEDGED),
                        Tuple.of(6, Event.POLL),
                        Tuple.of(6, Event.IDLE_LOOK),
                        Tuple.of(1, Event.FLUSHED))
                .list()
                .ofMaxSize(2000);
    }

    @Property
    void noAcknowledgementIsHeldBeyondTheLimit(@ForAll("events") List<Event> events) {
        AckCoalescer tried = new AckCoalescer();
        int polls = 0;
        boolean present = false;
        for (Event event : events) {
            switch (event) {
                case ADDED -> {
                    tried.added();
                    polls = present ? polls : 0;
                    present = true;
                }
                case REPLACED -> {
                    if (tried.isHeld()) {
                        tried.replaced();
                    }
                }
                case ANSWERED -> tried.answered(++psn);
                case ACKNOWLEDGED -> tried.acknowledged(psn);
                case POLL, IDLE_LOOK -> {
                    polls++;
                    if (tried.endPoll(event == Event.POLL)) {
                        tried.left();
                        present = false;
                    }
                }
                case FLUSHED -> {
                    tried.left();
                    present = false;
                }
            }
            assertThat(present || !tried.isHeld()).isTrue();
            if (present) {
                // Between two replacements there are at most MAX_POLLS polls, and one before the reaction.
                assertThat(polls).isLessThan((AckCoalescer.MAX_REPLACED + 1) * (AckCoalescer.MAX_POLLS + 2));
            } else {
                polls = 0;
            }
        }
    }
}

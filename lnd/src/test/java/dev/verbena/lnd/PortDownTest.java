// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.lnet.HealthClass;
import dev.verbena.lnet.LnetEvent;
import dev.verbena.lnet.MatchEntry;
import dev.verbena.lnet.MdOption;
import dev.verbena.lnet.MemoryDescriptor;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Row 64: a node whose link is down is not used, and is again when the link is up. */
class PortDownTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<LnetEvent> sent = new ArrayList<>();
    private final List<LnetEvent> arrived = new ArrayList<>();
    private Lab lab;
    private LnetNode a;
    private LnetNode b;

    @BeforeEach
    void start() throws VerbsException {
        lab = new Lab(11);
        a = lab.start(1);
        b = lab.start(2);
        b.attach(
                MatchEntry.on(Lab.PORTAL).matchBits(Lab.BITS).build(),
                MemoryDescriptor.over(lab.memory(1 << 16, 1))
                        .options(MdOption.OP_PUT, MdOption.MANAGE_REMOTE)
                        .handler(arrived::add)
                        .build());
    }

    @AfterEach
    void stop() throws VerbsException {
        lab.close();
    }

    private int statusOfPut(int length) {
        sent.clear();
        a.put(Lab.active(lab.memory(length, 2), 1, sent), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        assertThat(lab.await(() -> !sent.isEmpty(), LONG)).isTrue();
        return sent.getFirst().status();
    }

    @Test
    void messagesFailAtOnceWhileTheLinkIsDownAndGoWhenItIsUpAgain() throws VerbsException {
        assertThat(statusOfPut(10)).isZero();
        assertThat(a.isUp()).isTrue();
        lab.provider().link("sim0", false);
        assertThat(lab.await(() -> !a.isUp(), LONG)).isTrue();
        assertThat(b.isUp()).as("another device").isTrue();
        long before = lab.runtime().nanoTime();
        assertThat(statusOfPut(10)).isEqualTo(-113);
        assertThat(statusOfPut(20_000)).isEqualTo(-113);
        assertThat(lab.runtime().nanoTime()).isEqualTo(before);
        assertThat(a.lnetStatistics().ended(HealthClass.LOCAL_NO_ROUTE)).isEqualTo(2);
        assertThat(a.statistics().connections())
                .as("a short absence costs no connection")
                .hasSize(1);
        lab.provider().link("sim0", true);
        assertThat(lab.await(a::isUp, LONG)).isTrue();
        assertThat(statusOfPut(20_000)).isZero();
        assertThat(arrived).hasSize(2);
    }

    /** Messages in flight end within their timeout, and a connection without acknowledgements is closed. */
    @Test
    void messagesInFlightEndInTimeIfTheLinkStaysDown() throws VerbsException {
        assertThat(statusOfPut(10)).isZero();
        sent.clear();
        a.put(Lab.active(lab.memory(20_000, 2), 1, sent), false, b.id(), Lab.PORTAL, Lab.BITS, 0, 0);
        lab.provider().link("sim0", false);
        assertThat(lab.await(() -> !sent.isEmpty(), LONG)).isTrue();
        assertThat(sent.getFirst().status()).isEqualTo(-5);
        assertThat(lab.await(() -> a.statistics().connections().isEmpty(), LONG))
                .isTrue();
        lab.provider().link("sim0", true);
        lab.pass(LONG);
        assertThat(sent).hasSize(1);
        assertThat(statusOfPut(20_000)).isZero();
    }

    /** Each of two nodes on one device hears of its link, also when the other is gone. */
    @Test
    void allNodesOfADeviceGetItsEvents() throws VerbsException {
        O2ibTunables elsewhere = lab.tunables().service(988).build();
        LnetNode second = lab.start(1, elsewhere);
        lab.provider().link("sim0", false);
        assertThat(lab.await(() -> !a.isUp() && !second.isUp(), LONG)).isTrue();
        lab.close(second);
        lab.provider().link("sim0", true);
        assertThat(lab.await(a::isUp, LONG)).isTrue();
        LnetNode third = lab.start(1, elsewhere);
        assertThat(third.isUp()).isTrue();
    }

    @Test
    void aNodeThatIsStartedWithoutALinkIsDown() throws VerbsException {
        lab.provider().link("sim2", false);
        LnetNode late = lab.start(3);
        assertThat(late.isUp()).isFalse();
        lab.provider().link("sim2", true);
        assertThat(lab.await(late::isUp, LONG)).isTrue();
    }
}

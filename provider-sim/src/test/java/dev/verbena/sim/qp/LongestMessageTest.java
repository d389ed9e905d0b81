// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A message of 2^31 bytes, which is negative as a signed length. */
class LongestMessageTest {
    private static final long LENGTH = 1L << 31;
    private static final int ENTRIES = 32;
    private static final long ENTRY = LENGTH / ENTRIES;

    /** All entries of a side refer to the same memory, so that the memory can be shorter than the message. */
    @Test
    void aMessageMayHaveTwoToThe31Bytes() throws VerbsException {
        try (Lab lab = new Lab()) {
            Node from = lab.node("sim0", "192.0.2.1", ENTRY);
            Node to = lab.node("sim1", "192.0.2.2", ENTRY);
            Endpoint sender = from.endpoint(new QpCapabilities(1, 1, ENTRIES, 1, 0));
            Endpoint receiver = to.endpoint(new QpCapabilities(1, 1, 1, ENTRIES, 0));
            sender.connect(receiver, Connection.USUAL.mtu(PathMtu.MTU_4096));
            from.fill(0, 10_000, 1);
            from.fill(ENTRY - 10_000, 10_000, 2);
            assertThat(receiver.receive(wr -> {
                        for (int i = 0; i < ENTRIES; i++) {
                            wr.sge(to.region(), 0, ENTRY);
                        }
                    }))
                    .isEqualTo(PostRefusal.NONE);
            assertThat(sender.post(wr -> {
                        wr.send().signaled();
                        for (int i = 0; i < ENTRIES; i++) {
                            wr.sge(from.region(), 0, ENTRY);
                        }
                    }))
                    .isEqualTo(PostRefusal.NONE);
            lab.run(Duration.ofSeconds(10));
            assertThat(receiver.receives()).containsExactly("RECV 0 of " + LENGTH + " bytes");
            assertThat(sender.sends()).containsExactly("SEND 0");
            assertThat(to.memory().mismatch(from.memory())).isEqualTo(-1);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.InterceptedFabric;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.wire.Opcode;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A retransmission is of the request that its responder expects to be repeated, not of one with the same PSN one wrap
 * earlier.
 */
class PsnWrapTest {
    private static final Duration PATIENCE = Duration.ofSeconds(100);
    private static final int FIRST_PSN = 1000;
    private static final int PSNS = 1 << 24;
    private static final int MTU = 256;
    private static final int MOST_PACKETS = 4096;

    /** The number of answers to READs and atomics still to be dropped. */
    private final AtomicInteger toLose = new AtomicInteger();

    private final Lab lab = new Lab(
            new ThreadRuntime(1),
            plain -> new InterceptedFabric(
                    plain,
                    packet -> packet.opcode().isRequest()
                            || packet.opcode() == Opcode.RC_ACKNOWLEDGE
                            || toLose.getAndUpdate(count -> Math.max(0, count - 1)) == 0));
    private Node near;
    private Node far;
    private Endpoint left;

    @BeforeEach
    void connect() throws Exception {
        near = lab.node("sim0", "192.0.2.1", 2 * MOST_PACKETS * MTU);
        far = lab.node("sim1", "192.0.2.2", 2 * MOST_PACKETS * MTU);
        left = near.endpoint();
        left.connect(
                far.endpoint(),
                Connection.USUAL
                        .granting(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC)
                        .timeout(AckTimeout.ofCode(12), 7)
                        .readDepth(4)
                        .psns(FIRST_PSN, 7));
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    private void execute(String completion, Consumer<SendWorkRequest> fill) {
        left.post(request -> {
            fill.accept(request);
            request.signaled();
        });
        List<String> sends = new ArrayList<>();
        assertThat(lab.until(() -> sends.addAll(left.sends()), PATIENCE)).isTrue();
        assertThat(sends).containsExactly(completion);
    }

    /** Writes as many packets as there are PSNs, less the given number. */
    private void wrap(int packets) {
        for (int remaining = PSNS - packets; remaining > 0; ) {
            int now = Math.min(remaining, MOST_PACKETS);
            execute(
                    "RDMA_WRITE 0",
                    request -> request.rdmaWrite(
                                    far.region().address() + (long) MOST_PACKETS * MTU,
                                    far.region().rkey())
                            .sge(near.region(), 0, (long) now * MTU));
            remaining -= now;
        }
    }

    private void fetchAndAdd() {
        execute(
                "FETCH_ADD 0",
                request -> request.fetchAndAdd(
                                far.region().address(), far.region().rkey(), 1)
                        .sge(near.region(), 8, 8));
    }

    private void read(int from) {
        execute(
                "RDMA_READ 0",
                request -> request.rdmaRead(
                                far.region().address() + from, far.region().rkey())
                        .sge(near.region(), 16, 100));
    }

    @Test
    void answersARepeatedAtomicFromItsOwnResult() {
        far.memory().set(ValueLayout.JAVA_LONG, 0, 100);
        fetchAndAdd();
        wrap(1);
        toLose.set(1);
        fetchAndAdd();
        assertThat(near.memory().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(101);
        assertThat(far.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(102);
    }

    @Test
    void answersARepeatedReadFromItsOwnAddress() {
        far.fill(0, 4096, 1);
        read(0);
        wrap(1);
        toLose.set(1);
        read(1000);
        assertThat(near.bytes(16, 100)).isEqualTo(far.bytes(1000, 100));
    }
}

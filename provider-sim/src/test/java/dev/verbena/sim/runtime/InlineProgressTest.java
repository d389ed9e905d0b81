// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.fixture.ScriptedPeer;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.profile.Quirk;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A post sends in the poster's thread before it returns; Soft-RoCE leaves some requests to a task: {@code must_sched}.
 */
class InlineProgressTest {
    private final AtomicInteger sent = new AtomicInteger();
    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private final Lab lab = new Lab(
            runtime, fabric -> new TappedFabric(fabric, runtime, (time, link, packet) -> sent.incrementAndGet()));
    private ScriptedPeer peer;

    @BeforeEach
    void attachPeer() throws VerbsException {
        peer = lab.scriptedPeer("192.0.2.9");
    }

    private Endpoint connect(UnaryOperator<DeviceProfile> change) throws VerbsException {
        Node node = lab.node("sim0", "192.0.2.1", change);
        Endpoint endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
        lab.settle();
        return endpoint;
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    /** Posts requests. Returns the number of packets sent when the post returned, and a short time later. */
    private String post(Endpoint endpoint, int count) {
        sent.set(0);
        SendRequests batch = endpoint.qp().newSendRequests(count);
        for (int i = 0; i < count; i++) {
            batch.get(i).send();
        }
        assertThat(endpoint.qp().postSend(batch, count)).isEqualTo(count);
        int inline = sent.get();
        lab.settle();
        return inline + " of " + sent;
    }

    @Test
    void requestsAreSentByTheirPoster() throws VerbsException {
        Endpoint endpoint = connect(UnaryOperator.identity());
        assertThat(post(endpoint, 1)).isEqualTo("1 of 1");
        assertThat(post(endpoint, 3)).isEqualTo("3 of 3");
    }

    @Test
    void softRoceSendsASingleRequestInItsPostersThread() throws VerbsException {
        Endpoint endpoint = connect(
                profile -> profile.toBuilder().with(Quirk.BATCHES_DEFERRED).build());
        assertThat(post(endpoint, 1)).isEqualTo("1 of 1");
    }

    @Test
    void softRoceLeavesSeveralRequestsToATask() throws VerbsException {
        Endpoint endpoint = connect(
                profile -> profile.toBuilder().with(Quirk.BATCHES_DEFERRED).build());
        assertThat(post(endpoint, 3)).isEqualTo("0 of 3");
    }

    @Test
    void softRoceLeavesARequestAfterOthersToATask() throws VerbsException {
        Endpoint endpoint = connect(
                profile -> profile.toBuilder().with(Quirk.BATCHES_DEFERRED).build());
        assertThat(post(endpoint, 1)).isEqualTo("1 of 1");
        assertThat(post(endpoint, 1)).isEqualTo("0 of 1");
        peer.acknowledges(201);
        assertThat(post(endpoint, 1)).isEqualTo("1 of 1");
    }
}

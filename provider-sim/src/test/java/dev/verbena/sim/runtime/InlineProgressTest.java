package dev.verbena.sim.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.HandPeer;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether a post sends before it returns, in the poster's thread, or leaves it to a task: rxe's rule of {@code must_sched}. */
class InlineProgressTest {
    private final AtomicInteger sent = new AtomicInteger();
    private final VirtualRuntime runtime = new VirtualRuntime(1);
    private final Lab lab = new Lab(
            runtime, fabric -> new TappedFabric(fabric, runtime, (time, link, packet) -> sent.incrementAndGet()));
    private Endpoint endpoint;
    private HandPeer peer;

    @BeforeEach
    void connect() throws VerbsException {
        Node node = lab.node("sim0", "192.0.2.1");
        peer = lab.handPeer("192.0.2.9");
        endpoint = node.endpoint();
        endpoint.connect(peer, Connection.USUAL);
        lab.settle();
    }

    @AfterEach
    void stop() {
        lab.close();
    }

    /** Posts so many and tells how many packets had been sent when the post returned, and how many a little later. */
    private String post(int count) {
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
    void aSingleRequestIsSentByItsPoster() {
        assertThat(post(1)).isEqualTo("1 of 1");
    }

    @Test
    void severalRequestsAreSentByATask() {
        assertThat(post(3)).isEqualTo("0 of 3");
    }

    @Test
    void aRequestBehindOthersIsSentByATask() {
        assertThat(post(1)).isEqualTo("1 of 1");
        assertThat(post(1)).isEqualTo("0 of 1");
        peer.acknowledges(201);
        assertThat(post(1)).isEqualTo("1 of 1");
    }
}

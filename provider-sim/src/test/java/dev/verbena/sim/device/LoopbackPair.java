// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.capture.TappedFabric;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.queue.Ring;
import dev.verbena.sim.runtime.SimRuntime;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.verbs.AckTimeout;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Two connected queue pairs, one of which has sent a request. */
final class LoopbackPair implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(100);
    /** The offset of the targets of WRITEs, after the memory of SENDs. */
    static final long AREA = 1 << 18;

    /** The fabric between two devices. */
    interface Wiring {
        Fabric of(SimRuntime runtime, Fabric plain);
    }

    /** Makes an end. */
    interface Maker {
        Endpoint on(Node node) throws VerbsException;
    }

    static Fabric plain(SimRuntime runtime, Fabric plain) {
        return plain;
    }

    /** A fabric with a tap, which enforces the packet path. */
    static Fabric watched(SimRuntime runtime, Fabric plain) {
        return new TappedFabric(plain, runtime, (time, link, packet) -> {});
    }

    static Lab newLab(Wiring wiring) {
        ThreadRuntime runtime = new ThreadRuntime(1);
        return new Lab(runtime, plain -> wiring.of(runtime, plain));
    }

    final Lab lab;
    final Node near;
    final Node far;
    final Endpoint left;
    final Endpoint right;

    LoopbackPair(Wiring wiring, UnaryOperator<DeviceProfile> change) throws Exception {
        this(wiring, change, Node::endpoint);
    }

    /** Makes a pair with a given other end. */
    LoopbackPair(boolean watched, Maker other) throws Exception {
        this(watched ? LoopbackPair::watched : LoopbackPair::plain, UnaryOperator.identity(), other);
        if (!watched) {
            becomeDirect();
        }
    }

    private LoopbackPair(Wiring wiring, UnaryOperator<DeviceProfile> change, Maker other) throws Exception {
        lab = newLab(wiring);
        near = lab.node("sim0", "192.0.2.1", change);
        far = lab.node("sim1", "192.0.2.2", change);
        left = near.endpoint();
        right = other.on(far);
        left.connect(right, Connection.USUAL.timeout(AckTimeout.ofCode(8), 1));
        write(0);
        assertThat(completion()).isEqualTo("RDMA_WRITE 0");
    }

    LoopbackPair() throws Exception {
        this(LoopbackPair::plain, UnaryOperator.identity());
    }

    void write(int id) {
        write(left, id);
    }

    void write(Endpoint from, int id) {
        assertThat(from.post(request -> request.rdmaWrite(
                                far.region().address() + AREA, far.region().rkey())
                        .id(id)
                        .signaled()
                        .sge(near.region(), 0, 64)))
                .isEqualTo(PostRefusal.NONE);
    }

    void send(int id) {
        assertThat(left.send(id, 0, 64)).isEqualTo(PostRefusal.NONE);
    }

    String completion() {
        return completion(left);
    }

    private String completion(Endpoint from) {
        List<String> sends = new ArrayList<>();
        assertThat(lab.until(() -> sends.addAll(from.sends()), PATIENCE)).isTrue();
        return sends.getFirst();
    }

    /** Writes until a worker has run the tasks that connecting scheduled. */
    void becomeDirect() {
        becomeDirect(left);
    }

    /** Does the same from an end that is connected with one on the right. */
    void becomeDirect(Endpoint from) {
        assertThat(lab.until(
                        () -> {
                            boolean direct = queued(from, () -> write(from, 0)) == 0;
                            assertThat(completion(from)).isEqualTo("RDMA_WRITE 0");
                            return direct;
                        },
                        PATIENCE))
                .isTrue();
    }

    /** Returns the number of requests that a post puts into the queue. */
    int queued(Runnable post) {
        return queued(left, post);
    }

    static int queued(Endpoint from, Runnable post) {
        Ring ring = ((SimQueuePair) from.qp()).engineContext().sendQueue();
        int before = ring.producer();
        post.run();
        return ring.producer() - before;
    }

    @Override
    public void close() {
        lab.close();
    }
}

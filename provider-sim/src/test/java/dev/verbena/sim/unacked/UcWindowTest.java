// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.unacked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.Lab;
import dev.verbena.sim.fixture.Node;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.MemoryWindowType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RemoteKey;
import dev.verbena.verbs.VerbsException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Windows over an unreliable connection. */
class UcWindowTest {
    private static final Set<AccessFlag> WRITE = Set.of(AccessFlag.REMOTE_WRITE);

    private final Lab lab = new Lab();
    private Node owner;
    private Node peer;
    private Endpoint own;
    private Endpoint far;
    private MemoryWindow window;
    private int key;

    @BeforeEach
    void connect() throws VerbsException {
        owner = lab.node("sim0", "192.0.2.1");
        peer = lab.node("sim1", "192.0.2.2");
        own = owner.endpoint(QpType.UC);
        far = peer.endpoint(QpType.UC);
        own.connect(far, Connection.USUAL);
        peer.fill(0, 4096, 9);
        window = owner.domain().allocateMw(MemoryWindowType.TYPE_2);
        key = RemoteKey.increment(window.rkey());
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private void bind(MemoryRegion region) {
        own.post(wr -> wr.bindMemoryWindow(window, key, new MemoryWindowBinding(region, 100, 200, WRITE))
                .id(1)
                .signaled());
        own.post(wr -> wr.send().id(2).signaled());
        lab.settle();
    }

    private void write(long address) {
        far.post(wr -> wr.rdmaWrite(address, key).sge(peer.region(), 0, 200));
        lab.settle();
    }

    @Test
    void aWindowIsBoundInTheOrderOfTheRequestsAndUsed() throws VerbsException {
        MemoryRegion region = owner.domain().registerMemory(owner.memory(), AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
        bind(region);
        assertThat(own.sends()).containsExactly("BIND_MW 1", "SEND 2");
        write(region.address() + 101);
        assertThat(owner.bytes(100, 201)).containsOnly(0);
        write(region.address() + 100);
        assertThat(owner.bytes(100, 200)).isEqualTo(peer.bytes(0, 200));
    }

    @Test
    void aRefusedBindTakesTheSenderToSqe() throws VerbsException {
        bind(owner.domain().registerMemory(owner.memory(), AccessFlag.LOCAL_WRITE));
        assertThat(own.sends()).containsExactly("MW_BIND_ERR 1", "WR_FLUSH_ERR 2");
        assertThat(own.state()).isEqualTo(QpState.SQE);
    }
}

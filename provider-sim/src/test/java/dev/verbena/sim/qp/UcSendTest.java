// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.sim.fixture.Connection;
import dev.verbena.sim.fixture.Endpoint;
import dev.verbena.sim.fixture.OneDevice;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.PostRefusal;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The packets of an unreliable connection, as a peer receives them that never answers. */
class UcSendTest extends OneDevice {
    private Endpoint sender;

    @BeforeEach
    void connect() throws VerbsException {
        sender = node.endpoint(QpType.UC);
        sender.connect(peer, Connection.USUAL.mtu(PathMtu.MTU_256));
        node.fill(0, 4096, 3);
    }

    @Test
    void aSendIsCompleteWhenItsLastPacketIsSent() {
        sender.send(1, 0, 700);
        assertThat(peer.received())
                .containsExactly(
                        "SEND_FIRST 200 of 256 bytes", "SEND_MIDDLE 201 of 256 bytes", "SEND_LAST 202 of 188 bytes");
        assertThat(peer.lastPayload()).isEqualTo(node.bytes(512, 188));
        assertThat(sender.sends()).containsExactly("SEND 1");
    }

    @Test
    void messagesOfOnePacketAreOnlyOnes() {
        sender.send(1, 0, 256);
        sender.post(wr -> wr.sendWithImmediate(0xCAFE).solicited().sge(node.region(), 0, 5));
        sender.post(wr -> wr.send());
        assertThat(peer.received())
                .containsExactly(
                        "SEND_ONLY 200 of 256 bytes",
                        "SEND_ONLY_WITH_IMMEDIATE 201 of 5 bytes imm 0xcafe SE",
                        "SEND_ONLY 202 of 0 bytes");
    }

    @Test
    void writesNameTheirTargetInTheFirstPacket() {
        sender.post(wr -> wr.rdmaWrite(0x1000, 0x77).sge(node.region(), 0, 257));
        sender.post(wr -> wr.rdmaWriteWithImmediate(0x2000, 0x77, 9).sge(node.region(), 0, 300));
        sender.post(wr -> wr.rdmaWriteWithImmediate(0x3000, 0x77, 10));
        assertThat(peer.received())
                .containsExactly(
                        "RDMA_WRITE_FIRST 200 of 256 bytes to 0x1000 key 0x77 length 257",
                        "RDMA_WRITE_LAST 201 of 1 bytes",
                        "RDMA_WRITE_FIRST 202 of 256 bytes to 0x2000 key 0x77 length 300",
                        "RDMA_WRITE_LAST_WITH_IMMEDIATE 203 of 44 bytes imm 0x9",
                        "RDMA_WRITE_ONLY_WITH_IMMEDIATE 204 of 0 bytes to 0x3000 key 0x77 length 0 imm 0xa");
    }

    @Test
    void thePsnWraps() throws VerbsException {
        Endpoint late = node.endpoint(QpType.UC);
        late.connect(peer, Connection.USUAL.psns(0xFFFFFF, 100));
        late.send(1, 0, 512);
        assertThat(peer.received()).containsExactly("SEND_FIRST 16777215 of 256 bytes", "SEND_LAST 0 of 256 bytes");
    }

    @Test
    void operationsThatNeedAnAnswerCannotBePosted() {
        assertThat(sender.post(wr -> wr.rdmaRead(0x1000, 0x77).sge(node.region(), 0, 8)))
                .isEqualTo(PostRefusal.OPCODE_NOT_SUPPORTED);
        assertThat(sender.post(wr -> wr.fetchAndAdd(0x1000, 0x77, 1).sge(node.region(), 0, 8)))
                .isEqualTo(PostRefusal.OPCODE_NOT_SUPPORTED);
        assertThat(sender.post(wr -> wr.sendWithInvalidate(0x77))).isEqualTo(PostRefusal.OPCODE_NOT_SUPPORTED);
    }

    /** A packet in flight has a copy of the bytes: the buffer belongs to the application again. */
    @Test
    void theBufferIsFreeWhenTheRequestIsComplete() {
        byte[] before = node.bytes(0, 100);
        sender.send(1, 0, 100);
        List<String> completions = new ArrayList<>();
        lab.until(() -> completions.addAll(sender.sends()), Duration.ofSeconds(1));
        assertThat(peer.times()).as("the packet is still on its way").isEmpty();
        node.fill(0, 100, 99);
        assertThat(peer.received()).hasSize(1);
        assertThat(peer.lastPayload()).isEqualTo(before);
    }
}

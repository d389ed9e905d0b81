// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProviders;
import dev.verbena.verbs.WorkCompletions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures calls of the DiSNI API, which Verbena implements, and the equivalent calls of Verbena's own API. The benchmark
 * uses two software devices in one process. It measures an empty poll, an RDMA WRITE with its completion, and SENDs of 64
 * bytes in both directions. All work requests are created before the measurement.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings({"NonApiType", "JdkObsolete"}) // DiSNI's `setSg_list` requires a `LinkedList`.
public class DisniBenchmark {
    private static final int BYTES = 64;
    private static final int DEPTH = 16;
    private static final int PORT = 1919;
    private static final int MILLIS = 10_000;

    private Spi left;
    private Spi right;
    private Disni client;
    private Disni server;

    /** The verbs objects of one queue pair, created through the SPI. */
    private static final class Spi {
        final QueuePair queuePair;
        final CompletionQueue queue;
        final MemoryRegion region;
        final WorkCompletions completions;
        final SendRequests send;
        final ReceiveRequests receive;
        final SendRequests write;

        Spi(String name) throws VerbsException {
            Device device = VerbsProviders.named("sim").open(name);
            ProtectionDomain domain = device.allocatePd();
            region = domain.registerMemory(
                    device.newArena().allocate(BYTES, BYTES), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
            queue = device.createCq(CqInitAttributes.ofCapacity(2 * DEPTH));
            queuePair = domain.createQp(QpInitAttributes.rc(queue, QpCapabilities.of(DEPTH, DEPTH)));
            completions = queue.newCompletions(1);
            send = queuePair.newSendRequests(1);
            send.get(0).send().signaled().sge(region, 0, BYTES);
            receive = queuePair.newReceiveRequests(1);
            receive.get(0).clear().sge(region, 0, BYTES);
            write = queuePair.newSendRequests(1);
        }

        void await() {
            while (queue.poll(completions) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** The verbs objects of one queue pair, created through DiSNI's verbs API ({@code com.ibm.disni.verbs}). */
    private static final class Disni {
        final RdmaEventChannel channel;
        RdmaCmId id;
        IbvQP queuePair;
        IbvMr region;
        SVCPollCq poll;
        SVCPostSend send;
        SVCPostRecv receive;

        Disni() throws IOException {
            channel = RdmaEventChannel.createEventChannel();
            id = channel.createId(RdmaCm.RDMA_PS_TCP);
        }

        void open() throws IOException {
            IbvPd domain = id.getVerbs().allocPd();
            IbvCQ queue = id.getVerbs().createCQ(null, 2 * DEPTH, 0);
            IbvQPInitAttr attributes = new IbvQPInitAttr();
            attributes.cap().setMax_recv_wr(DEPTH);
            attributes.cap().setMax_send_wr(DEPTH);
            attributes.setQp_type(IbvQP.IBV_QPT_RC);
            attributes.setRecv_cq(queue);
            attributes.setSend_cq(queue);
            queuePair = id.createQP(domain, attributes);
            region = domain.regMr(
                            ByteBuffer.allocateDirect(BYTES),
                            IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE)
                    .execute()
                    .getMr();
            poll = queue.poll(new IbvWC[] {new IbvWC()}, 1);
            send = record(request(IbvSendWR.IBV_WR_SEND));
            IbvRecvWR request = new IbvRecvWR();
            request.setSg_list(entry());
            receive = queuePair.postRecv(List.of(request), null);
        }

        LinkedList<IbvSge> entry() {
            IbvSge entry = new IbvSge();
            entry.setAddr(region.getAddr());
            entry.setLength(BYTES);
            entry.setLkey(region.getLkey());
            return new LinkedList<>(List.of(entry));
        }

        IbvSendWR request(int opcode) {
            IbvSendWR request = new IbvSendWR();
            request.setOpcode(opcode);
            request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
            request.setSg_list(entry());
            return request;
        }

        SVCPostSend record(IbvSendWR request) throws IOException {
            return queuePair.postSend(List.of(request), null);
        }

        RdmaCmEvent event(RdmaCmEvent.EventType type) throws IOException {
            RdmaCmEvent event = channel.getCmEvent(MILLIS);
            if (event == null || event.getEvent() != type.ordinal()) {
                throw new IOException("expected " + type);
            }
            return event;
        }

        void await() throws IOException {
            while (poll.execute().getPolls() == 0) {
                Thread.onSpinWait();
            }
        }
    }

    private SVCPostSend disniWrite;

    /** Connects two queue pairs through the SPI, and two queue pairs through DiSNI. */
    @Setup
    public void open() throws Exception {
        left = new Spi("sim0");
        right = new Spi("sim1");
        QpConnector here = connector(left);
        QpConnector there = connector(right);
        there.connect(here.local());
        here.connect(there.local());
        left.write
                .get(0)
                .rdmaWrite(right.region.address(), right.region.rkey())
                .signaled()
                .sge(left.region, 0, BYTES);

        server = new Disni();
        client = new Disni();
        InetSocketAddress address = new InetSocketAddress("192.0.2.2", PORT);
        server.id.bindAddr(address);
        server.id.listen(1);
        client.id.resolveAddr(null, address, MILLIS);
        client.event(RdmaCmEvent.EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        client.id.resolveRoute(MILLIS);
        client.event(RdmaCmEvent.EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
        client.open();
        client.id.connect(new RdmaConnParam());
        server.id = server.event(RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST)
                .getConnIdPriv();
        server.open();
        server.id.accept(new RdmaConnParam());
        server.event(RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        client.event(RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        IbvSendWR write = client.request(IbvSendWR.IBV_WR_RDMA_WRITE);
        write.getRdma().setRemote_addr(server.region.getAddr());
        write.getRdma().setRkey(server.region.getRkey());
        disniWrite = client.record(write);
    }

    private static QpConnector connector(Spi end) throws VerbsException {
        return QpConnector.builder(end.queuePair)
                .access(AccessFlag.REMOTE_WRITE)
                .build();
    }

    @Benchmark
    public int emptyPollBySpi() {
        return left.queue.poll(left.completions);
    }

    @Benchmark
    public int emptyPollByDisni() throws IOException {
        return client.poll.execute().getPolls();
    }

    @Benchmark
    public void recordedWriteBySpi() throws VerbsException {
        left.queuePair.postAll(left.write, 1);
        left.await();
    }

    @Benchmark
    public void recordedWriteByDisni() throws IOException {
        disniWrite.execute();
        client.await();
    }

    @Benchmark
    public void roundTripBySpi() throws VerbsException {
        send(left, right);
        send(right, left);
    }

    private static void send(Spi from, Spi to) throws VerbsException {
        to.queuePair.postAll(to.receive, 1);
        from.queuePair.postAll(from.send, 1);
        from.await();
        to.await();
    }

    @Benchmark
    public void roundTripByDisni() throws IOException {
        send(client, server);
        send(server, client);
    }

    private static void send(Disni from, Disni to) throws IOException {
        to.receive.execute();
        from.send.execute();
        from.await();
        to.await();
    }
}

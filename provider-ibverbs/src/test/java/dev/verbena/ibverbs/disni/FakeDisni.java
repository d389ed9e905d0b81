// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.disni;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyShort;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.Availability;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * DiSNI of mocks that accepts every call, and the files of one device. A test may change mocks, but not {@link #cm}
 * after a channel was created, since the provider's thread calls it from then on.
 */
final class FakeDisni implements AutoCloseable {
    static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 7471);
    static final InetSocketAddress THERE = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.2"), 7471);
    static final int LKEY = 0x28d;
    static final int QP_NUMBER = 0x11;
    private static final int DESCRIPTOR = 7;
    private static final Duration LONG = Duration.ofSeconds(60);

    final RdmaCm cm = mock(RdmaCm.class);
    final RdmaVerbs verbs = mock(RdmaVerbs.class);
    final IbvContext context = mock(IbvContext.class);
    final List<IbvSendWR> sent = new ArrayList<>();
    final List<IbvRecvWR> received = new ArrayList<>();
    final List<RdmaCmId> ids = new ArrayList<>();
    final BlockingQueue<RdmaCmId> destroyed = new LinkedBlockingQueue<>();
    final SVCPostSend posting = mock(SVCPostSend.class);
    final SVCRegMr registering = mock(SVCRegMr.class);
    final DisniProvider provider;
    private final Map<RdmaEventChannel, BlockingQueue<RdmaCmEvent>> events = new ConcurrentHashMap<>();
    private final Map<RdmaCmId, RdmaEventChannel> channels = new ConcurrentHashMap<>();
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile boolean ended;

    volatile Map<String, Set<InetAddress>> addresses = Map.of();

    private final Map<IbvCQ, BlockingQueue<Boolean>> announcements = new ConcurrentHashMap<>();
    private final List<List<IbvWC>> completions = new ArrayList<>();

    FakeDisni(Path root) throws IOException {
        writeFiles(root);
        InterfaceAddresses none = new InterfaceAddresses() {
            @Override
            Map<String, Set<InetAddress>> all() {
                return addresses;
            }

            @Override
            List<Inet4Address> of(String name) {
                return List.of();
            }
        };
        provider = new DisniProvider(
                () -> new DisniProvider.Result(
                        new Availability.Available("/lib/libdisni.so"),
                        Optional.of(new DisniLibrary("/lib/libdisni.so", cm, verbs))),
                new DeviceFiles(root, none));
        when(context.getCmd_fd()).thenReturn(DESCRIPTOR);
        when(context.getNumCompVectors()).thenReturn(2);
        connections();
        objects();
        dataPath();
    }

    /** As the kernel has them of a Soft-RoCE device. */
    static void writeFiles(Path root) throws IOException {
        Path device = root.resolve("sys/class/infiniband/rxe0");
        write(device.resolve("node_guid"), "0256:fffe:c000:0201");
        write(device.resolve("node_type"), "1: CA");
        write(device.resolve("fw_ver"), "1.2.3");
        Path port = device.resolve("ports/1");
        write(port.resolve("state"), "4: ACTIVE");
        write(port.resolve("phys_state"), "5: LinkUp");
        write(port.resolve("link_layer"), "Ethernet");
        write(port.resolve("rate"), "2.5 Gb/sec (1X SDR)");
        write(port.resolve("lid"), "0x0");
        write(port.resolve("pkeys/0"), "0xffff");
        write(port.resolve("gids/0"), "fe80:0000:0000:0000:0056:fffe:c000:0201");
        write(port.resolve("gids/1"), "0000:0000:0000:0000:0000:ffff:c000:0201");
        write(port.resolve("gids/2"), "0000:0000:0000:0000:0000:0000:0000:0000");
        for (int index = 0; index < 2; index++) {
            write(port.resolve("gid_attrs/types/" + index), "RoCE v2");
            write(port.resolve("gid_attrs/ndevs/" + index), "eth0");
        }
        write(root.resolve("sys/class/net/eth0/mtu"), "1500");
        write(root.resolve("sys/class/infiniband_verbs/uverbs0/ibdev"), "rxe0");
        Files.createDirectories(root.resolve("proc/self/fd"));
        Files.createSymbolicLink(root.resolve("proc/self/fd/" + DESCRIPTOR), Path.of("/dev/infiniband/uverbs0"));
    }

    static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    private void connections() throws IOException {
        when(cm.createEventChannel()).thenAnswer(call -> {
            RdmaEventChannel channel = mock(RdmaEventChannel.class);
            events.put(channel, new LinkedBlockingQueue<>());
            return channel;
        });
        when(cm.createId(any(), anyShort())).thenAnswer(call -> {
            RdmaCmId id = newId();
            channels.put(id, call.getArgument(0));
            return id;
        });
        when(cm.getCmEvent(any(), anyInt()))
                .thenAnswer(call -> next(events.get(call.<RdmaEventChannel>getArgument(0)), call.getArgument(1)));
        when(cm.destroyCmId(any())).thenAnswer(call -> {
            destroyed.add(call.getArgument(0));
            return 0;
        });
        when(cm.getSrcAddr(any())).thenReturn(HERE);
        when(cm.getDstAddr(any())).thenReturn(THERE);
        when(cm.createQP(any(), any(), any())).thenAnswer(call -> {
            IbvQP qp = mock(IbvQP.class);
            when(qp.getQp_num()).thenReturn(QP_NUMBER);
            return qp;
        });
    }

    /**
     * Returns the next element for a thread of the provider. After the test the thread waits forever and ends with the
     * process.
     */
    private <T> @Nullable T next(BlockingQueue<T> queue, int milliseconds) throws InterruptedException {
        if (ended) {
            never.await();
        }
        return queue.poll(milliseconds, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        ended = true;
    }

    RdmaCmId newId() throws IOException {
        RdmaCmId id = mock(RdmaCmId.class);
        when(id.getVerbs()).thenReturn(context);
        ids.add(id);
        return id;
    }

    private void objects() throws IOException {
        when(verbs.allocPd(any())).thenAnswer(call -> mock(IbvPd.class));
        when(verbs.createCompChannel(any())).thenAnswer(call -> mock(IbvCompChannel.class));
        when(verbs.createCQ(any(), any(), anyInt(), anyInt())).thenAnswer(call -> {
            IbvCQ cq = mock(IbvCQ.class);
            announcements.put(cq, new LinkedBlockingQueue<>());
            return cq;
        });
        when(verbs.getCqEvent(any(), any(), anyInt()))
                .thenAnswer(call -> announcements
                                .get(call.<IbvCQ>getArgument(1))
                                .poll(call.<Integer>getArgument(2), TimeUnit.MILLISECONDS)
                        != null);
        when(verbs.reqNotifyCQ(any(), anyBoolean())).thenAnswer(call -> mock(SVCReqNotify.class));
        IbvMr mr = mock(IbvMr.class);
        when(mr.getLkey()).thenReturn(LKEY);
        when(mr.getRkey()).thenReturn(LKEY + 1);
        when(registering.getMr()).thenReturn(mr);
        when(verbs.regMr(any(IbvPd.class), anyLong(), anyInt(), anyInt())).thenReturn(registering);
        when(verbs.deregMr(any())).thenAnswer(call -> mock(SVCDeregMr.class));
    }

    private void dataPath() throws IOException {
        when(verbs.postSend(any(), any(), any())).thenAnswer(call -> {
            sent.addAll(call.getArgument(1));
            return posting;
        });
        when(verbs.postRecv(any(), any(), any())).thenAnswer(call -> {
            received.addAll(call.getArgument(1));
            return mock(SVCPostRecv.class);
        });
        when(verbs.pollCQ(any(), any(), anyInt())).thenAnswer(call -> {
            IbvWC[] into = call.getArgument(1);
            SVCPollCq poll = mock(SVCPollCq.class);
            int[] polls = {0};
            when(poll.getPolls()).thenAnswer(asked -> polls[0]);
            when(poll.execute()).thenAnswer(executed -> {
                List<IbvWC> next = completions.isEmpty() ? List.of() : completions.removeFirst();
                polls[0] = next.size();
                for (int i = 0; i < next.size(); i++) {
                    read(next.get(i), into[i]);
                }
                return poll;
            });
            return poll;
        });
    }

    /** Reads a completion as DiSNI's own call does: the fields after the opcode only on success. */
    private static void read(IbvWC from, IbvWC into) {
        into.setWr_id(from.getWr_id());
        into.setStatus(from.getStatus());
        into.setOpcode(from.getOpcode());
        if (from.getStatus() == 0) {
            into.setVendor_err(from.getVendor_err());
            into.setByte_len(from.getByte_len());
            into.setImm_data(from.getImm_data());
            into.setQp_num(from.getQp_num());
            into.setWc_flags(from.getWc_flags());
        }
    }

    /** Adds completions for the next poll. */
    void completes(IbvWC... next) {
        completions.add(List.of(next));
    }

    /** A completion as the device writes it. */
    static IbvWC completion(long token, int status, int opcode, int length) {
        IbvWC raw = new IbvWC();
        raw.setWr_id(token);
        raw.setStatus(status);
        raw.setOpcode(opcode);
        raw.setByte_len(length);
        raw.setQp_num(QP_NUMBER);
        raw.setVendor_err(0x77);
        return raw;
    }

    /** Lets every queue announce once. */
    void announces() {
        announcements.values().forEach(queue -> queue.add(true));
    }

    void tells(CmEventType type, @Nullable RdmaCmId listener, RdmaCmId id) {
        RdmaCmEvent event = mock(RdmaCmEvent.class);
        when(event.getEvent()).thenReturn(type.code());
        when(event.getStatus()).thenReturn(-1);
        when(event.getListenIdPriv()).thenReturn(listener);
        when(event.getConnIdPriv()).thenReturn(id);
        events.get(channels.get(listener == null ? id : listener)).add(event);
    }

    /** An id that is bound to an address of the device, with its channel. */
    record Bound(EventChannel channel, ConnectionId id) {}

    Bound bound() throws Exception {
        ConnectionManager manager = provider.extension(ConnectionManager.class).orElseThrow();
        EventChannel channel = manager.createEventChannel();
        ConnectionId id = manager.createId(channel, PortSpace.TCP, null);
        id.bind(HERE);
        return new Bound(channel, id);
    }

    /** A queue pair with its domain, queues and id; connected by default. */
    record Connected(Bound bound, DisniPd domain, DisniCq cq, DisniQp qp) {}

    Connected connected(QpCapabilities depths, boolean signalAll) throws Exception {
        Bound bound = bound();
        DisniDevice device = (DisniDevice) bound.id().device().orElseThrow();
        DisniPd domain = (DisniPd) device.allocatePd();
        DisniCq cq = (DisniCq) device.createCq(CqInitAttributes.ofCapacity(16));
        QpInitAttributes attributes = QpInitAttributes.builder()
                .type(QpType.RC)
                .sendCq(cq)
                .receiveCq(cq)
                .capabilities(depths)
                .signalAll(signalAll)
                .build();
        DisniQp qp = (DisniQp) bound.id().createQp(domain, attributes);
        tells(CmEventType.ESTABLISHED, null, ids.getLast());
        next(bound.channel()).close();
        return new Connected(bound, domain, cq, qp);
    }

    static CmEvent next(EventChannel channel) throws Exception {
        return channel.await(LONG).orElseThrow();
    }
}

// SPDX-License-Identifier: Apache-2.0
import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.ConnectionParameters;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.ReceiveRequests;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.SendWorkRequest;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * One end of a connection whose queue pair does not belong to its id: ibv_create_qp makes it, the attributes of rdma_init_qp_attr bring
 * it up, and rdma_establish completes it. The other end is external_qp.c, which describes the messages.
 *
 * <pre>
 *   java ExternalQp sim:OWN-ADDRESS|ibverbs server|client ADDRESS PORT
 * </pre>
 */
final class ExternalQp {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int BYTES = 5000;
    private static final int MESSAGE = 16;

    private final EventChannel channel;
    private final ConnectionId id;
    private final MemorySegment memory;
    private final MemoryRegion region;
    private final CompletionQueue cq;
    private final QueuePair qp;

    /** Creates the objects that a connection needs besides its id. The id must be bound to a device. */
    private ExternalQp(EventChannel channel, ConnectionId id) throws VerbsException {
        this.channel = channel;
        this.id = id;
        ProtectionDomain pd = id.device().orElseThrow().allocatePd();
        cq = id.device().orElseThrow().createCq(CqInitAttributes.ofCapacity(16));
        ByteBuffer bytes = ByteBuffer.allocateDirect(2 * BYTES);
        memory = MemorySegment.ofBuffer(bytes);
        region = pd.registerMemory(
                bytes, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
        qp = pd.createQp(QpInitAttributes.rc(cq, QpCapabilities.of(4, 4)));
        qp.modify(id.initQpAttributes(QpState.INIT));
        ReceiveRequests receives = qp.newReceiveRequests(1);
        receives.get(0).sge(region, BYTES, MESSAGE);
        qp.postAll(receives, 1);
    }

    public static void main(String[] arguments) throws Exception {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.ofLiteral(arguments[2]), Integer.parseInt(arguments[3]));
        ConnectionManager manager =
                provider(arguments[0]).extension(ConnectionManager.class).orElseThrow();
        EventChannel channel = manager.createEventChannel();
        ConnectionId id = manager.createId(channel, PortSpace.TCP, null);
        if (arguments[1].equals("server")) {
            id.bind(address);
            id.listen(1);
            System.out.println("listening");
            serve(channel);
        } else {
            ask(channel, id, address);
        }
        System.out.println("every byte is right");
        System.exit(0);
    }

    private static VerbsProvider provider(String name) throws VerbsException {
        if (!name.startsWith("sim:")) {
            return VerbsProviders.named(name);
        }
        ThreadRuntime runtime = new ThreadRuntime(1);
        return new SimProvider(
                runtime, new UdpFabric(runtime), List.of(SimDeviceSpec.of("sim0", name.substring("sim:".length()))));
    }

    private static void serve(EventChannel channel) throws Exception {
        ConnectionId requested;
        try (CmEvent request = expect(channel, CmEventType.CONNECT_REQUEST)) {
            requested = request.id();
        }
        ExternalQp end = new ExternalQp(channel, requested);
        end.bring(QpState.RTR, QpState.RTS);
        byte[] grant = ByteBuffer.allocate(12)
                .putLong(end.region.address())
                .putInt(end.region.rkey())
                .array();
        end.id.accept(ConnectionParameters.builder()
                .qpNumber(end.qp.number())
                .privateData(grant)
                .build());
        expect(channel, CmEventType.ESTABLISHED).close();
        end.complete();
        must(end.memory.getString(BYTES).equals("written"), "the client's message");
        must(end.isPattern(), "what the client has written");
        end.message("seen");
        expect(channel, CmEventType.DISCONNECTED).close();
        end.id.disconnect();
    }

    private static void ask(EventChannel channel, ConnectionId id, InetSocketAddress address) throws Exception {
        id.resolveAddress(null, address, PATIENCE);
        expect(channel, CmEventType.ADDR_RESOLVED).close();
        id.resolveRoute(PATIENCE);
        expect(channel, CmEventType.ROUTE_RESOLVED).close();
        ExternalQp end = new ExternalQp(channel, id);
        id.connect(ConnectionParameters.builder().qpNumber(end.qp.number()).build());
        ByteBuffer grant;
        try (CmEvent response = expect(channel, CmEventType.CONNECT_RESPONSE)) {
            grant = ByteBuffer.wrap(response.privateData());
        }
        long remote = grant.getLong();
        int rkey = grant.getInt();
        end.bring(QpState.RTR, QpState.RTS);
        id.establish();
        for (int i = 0; i < BYTES; i++) {
            end.memory.set(ValueLayout.JAVA_BYTE, i, (byte) (7 * i + 1));
        }
        end.post(BYTES, request -> request.rdmaWrite(remote, rkey));
        end.complete();
        end.memory.asSlice(0, BYTES).fill((byte) 0);
        end.post(BYTES, request -> request.rdmaRead(remote, rkey));
        end.complete();
        must(end.isPattern(), "what was written, read back");
        end.message("written");
        end.complete();
        must(end.memory.getString(BYTES).equals("seen"), "the server's message");
        id.disconnect();
        expect(channel, CmEventType.DISCONNECTED).close();
    }

    private static CmEvent expect(EventChannel channel, CmEventType type) throws Exception {
        CmEvent event = channel.await(PATIENCE).orElseThrow(() -> new IllegalStateException("no " + type + " came"));
        must(event.type() == type, event.type() + ", status " + event.status() + ", came instead of " + type);
        return event;
    }

    private static void must(boolean so, String what) {
        if (!so) {
            throw new IllegalStateException(what);
        }
    }

    private void bring(QpState... states) throws VerbsException {
        for (QpState state : states) {
            qp.modify(id.initQpAttributes(state));
        }
    }

    /** Chooses what a request does. */
    private interface Choice {
        void of(SendWorkRequest request);
    }

    private void post(long length, Choice choice) throws VerbsException {
        SendRequests sends = qp.newSendRequests(1);
        SendWorkRequest request = sends.get(0);
        choice.of(request);
        request.signaled().sge(region, 0, length);
        qp.postAll(sends, 1);
    }

    private void message(String text) throws Exception {
        memory.setString(0, text);
        post(MESSAGE, SendWorkRequest::send);
        complete();
    }

    private void complete() throws Exception {
        WorkCompletions done = cq.newCompletions(1);
        cq.await(done, PATIENCE);
        must(done.get(0).isSuccess(), done.get(0).explain().toString());
    }

    private boolean isPattern() {
        for (int i = 0; i < BYTES; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, i) != (byte) (7 * i + 1)) {
                return false;
            }
        }
        return true;
    }
}

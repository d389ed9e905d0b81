// SPDX-License-Identifier: Apache-2.0
package program.verbs;

import com.ibm.disni.verbs.*;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

/** One end of a connection, by DiSNI's raw verbs: an id, a queue pair, a completion queue with its channel, and one buffer. */
@SuppressWarnings({"NonApiType", "JdkObsolete"}) // The lists of DiSNI.
public final class Peer {
    public static final int BYTES = 256;
    /** Longer than a JVM needs to start in an emulated machine. */
    private static final int WAIT_MILLIS = 300_000;

    private static final int ALL_ACCESS =
            IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE | IbvMr.IBV_ACCESS_REMOTE_READ;

    public final RdmaEventChannel channel;
    public RdmaCmId id;
    public IbvPd pd;
    public IbvCompChannel completions;
    public IbvCQ cq;
    public IbvQP qp;
    public IbvMr mr;
    public final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    private IbvWC[] polled;
    private SVCPollCq poll;

    public Peer() throws IOException {
        channel = RdmaEventChannel.createEventChannel();
        id = channel.createId(RdmaCm.RDMA_PS_TCP);
    }

    public void listen(String host, int port) throws IOException {
        id.bindAddr(new InetSocketAddress(host, port));
        id.listen(10);
    }

    public void resolve(String host, int port) throws IOException {
        id.resolveAddr(null, new InetSocketAddress(host, port), 2000);
        expect(RdmaCmEvent.EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        id.resolveRoute(2000);
        expect(RdmaCmEvent.EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
        open();
    }

    /** Takes the request of a client; the id is then the connection's. */
    public RdmaCmId request() throws IOException {
        RdmaCmEvent event = expect(RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
        RdmaCmId listener = event.getListenIdPriv() == null ? id : event.getListenIdPriv();
        id = event.getConnIdPriv();
        open();
        return listener;
    }

    public void connect() throws IOException {
        id.connect(new RdmaConnParam());
    }

    public void accept() throws IOException {
        id.accept(new RdmaConnParam());
        expect(RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
    }

    private void open() throws IOException {
        IbvContext context = id.getVerbs();
        pd = context.allocPd();
        completions = context.createCompChannel();
        cq = context.createCQ(completions, 50, 0);
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_recv_sge(1);
        attributes.cap().setMax_recv_wr(10);
        attributes.cap().setMax_send_sge(1);
        attributes.cap().setMax_send_wr(10);
        attributes.cap().setMax_inline_data(64);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setRecv_cq(cq);
        attributes.setSend_cq(cq);
        qp = id.createQP(pd, attributes);
        mr = pd.regMr(buffer, ALL_ACCESS).execute().free().getMr();
        polled = new IbvWC[10];
        for (int i = 0; i < polled.length; i++) {
            polled[i] = new IbvWC();
        }
        poll = cq.poll(polled, polled.length);
    }

    public RdmaCmEvent expect(RdmaCmEvent.EventType type) throws IOException {
        RdmaCmEvent event = channel.getCmEvent(WAIT_MILLIS);
        if (event == null || event.getEvent() != type.ordinal()) {
            throw new IOException("expected " + type + ", got " + (event == null ? "nothing" : event.getEvent()));
        }
        event.ackEvent();
        return event;
    }

    public LinkedList<IbvSge> entry(int offset, int length) {
        IbvSge entry = new IbvSge();
        entry.setAddr(mr.getAddr() + offset);
        entry.setLength(length);
        entry.setLkey(mr.getLkey());
        return new LinkedList<>(List.of(entry));
    }

    public void receive(long wrId, int offset, int length) throws IOException {
        IbvRecvWR request = new IbvRecvWR();
        request.setWr_id(wrId);
        request.setSg_list(entry(offset, length));
        request.setNum_sge(1);
        qp.postRecv(new LinkedList<>(List.of(request)), null).execute().free();
    }

    public IbvSendWR send(int opcode, long wrId, int flags, int offset, int length) {
        IbvSendWR request = new IbvSendWR();
        request.setWr_id(wrId);
        request.setOpcode(opcode);
        request.setSend_flags(flags);
        request.setSg_list(entry(offset, length));
        request.setNum_sge(1);
        return request;
    }

    public SVCPostSend record(IbvSendWR... requests) throws IOException {
        return qp.postSend(new LinkedList<>(List.of(requests)), null);
    }

    /** Polls until as many completions have come. */
    public List<IbvWC> await(int count) throws IOException {
        List<IbvWC> found = new ArrayList<>();
        for (long end = System.nanoTime() + WAIT_MILLIS * 1_000_000L; found.size() < count; ) {
            take(found);
            if (System.nanoTime() > end) {
                throw new IOException(found.size() + " of " + count + " completions came");
            }
        }
        return found;
    }

    /** Waits for the events of the completion queue, and polls after each one. */
    public List<IbvWC> awaitByEvents(int count) throws IOException {
        List<IbvWC> found = new ArrayList<>();
        arm();
        take(found);
        while (found.size() < count) {
            if (!completions.getCqEvent(cq, WAIT_MILLIS)) {
                throw new IOException("no event after " + found.size() + " of " + count + " completions");
            }
            cq.ackEvents(1);
            arm();
            take(found);
        }
        return found;
    }

    private void arm() throws IOException {
        cq.reqNotification(false).execute().free();
    }

    private void take(List<IbvWC> found) throws IOException {
        poll.execute();
        while (poll.getPolls() > 0) {
            for (int i = 0; i < poll.getPolls(); i++) {
                found.add(polled[i].clone());
            }
            poll.execute();
        }
    }

    /** In the order in which DiSNI's endpoint groups close. */
    public void close() throws Exception {
        id.destroyQP();
        id.destroyId();
        mr.deregMr().execute().free();
        completions.destroyCompChannel();
        cq.destroyCQ();
        pd.deallocPd();
        channel.destroyEventChannel();
    }

    /** In the reverse order, in which each object is still in use. */
    public void closeInReverse() throws Exception {
        pd.deallocPd();
        cq.destroyCQ();
        completions.destroyCompChannel();
        channel.destroyEventChannel();
        mr.deregMr().execute().free();
        id.destroyId();
    }
}

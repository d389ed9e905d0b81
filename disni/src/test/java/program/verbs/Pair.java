// SPDX-License-Identifier: Apache-2.0
package program.verbs;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;

/** Two connected ends in one process, the server at the given address. */
public final class Pair {
    public final Peer server = new Peer();
    public final Peer client = new Peer();
    public final RdmaCmId listener;

    public Pair(String host, int port) throws Exception {
        server.listen(host, port);
        client.resolve(host, port);
        client.connect();
        listener = server.request();
        server.accept();
        client.expect(RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
    }

    /** The client closes first; the server closes inside the handling of DISCONNECTED. */
    public void close() throws Exception {
        client.id.disconnect();
        RdmaCmEvent event = server.channel.getCmEvent(10_000);
        if (event == null || event.getListenIdPriv() != null) {
            throw new AssertionError("DISCONNECTED of the connection alone, not " + event);
        }
        server.id.destroyQP();
        server.id.destroyId();
        event.ackEvent();
        listener.destroyId();
        server.mr.deregMr().execute().free();
        server.completions.destroyCompChannel();
        server.cq.destroyCQ();
        server.pd.deallocPd();
        server.channel.destroyEventChannel();
        client.expect(RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED);
        client.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package program.endpoints;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;

/** The registered memory of an endpoint, and the requests over it. */
@SuppressWarnings({"NonApiType", "JdkObsolete"}) // The lists of DiSNI.
final class Memory {
    static final int BYTES = 4096;

    final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    private final RdmaEndpoint endpoint;
    private IbvMr region;

    Memory(RdmaEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Registers the memory and posts a receive. Call this before the connection is made. */
    void open() throws IOException {
        region = endpoint.registerMemory(buffer).execute().free().getMr();
        IbvRecvWR receive = new IbvRecvWR();
        receive.setWr_id(1);
        receive.setSg_list(entry(0, 16));
        endpoint.postRecv(new LinkedList<>(List.of(receive))).execute().free();
    }

    IbvMr region() {
        return region;
    }

    IbvSendWR request(int opcode, long id, int offset, int length) {
        IbvSendWR request = new IbvSendWR();
        request.setOpcode(opcode);
        request.setWr_id(id);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.setSg_list(entry(offset, length));
        return request;
    }

    private LinkedList<IbvSge> entry(int offset, int length) {
        IbvSge entry = new IbvSge();
        entry.setAddr(region.getAddr() + offset);
        entry.setLength(length);
        entry.setLkey(region.getLkey());
        return new LinkedList<>(List.of(entry));
    }

    void close() throws IOException {
        region.deregMr().execute().free();
    }
}

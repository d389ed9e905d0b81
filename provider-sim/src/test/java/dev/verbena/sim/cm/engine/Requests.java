// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.cm.engine;

import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.wire.mad.CmRequest;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;

/** Default parameters for tests that depend on few of them. */
public final class Requests {
    public static final int SOURCE_PORT = 40000;

    private Requests() {}

    public static long serviceId(int port) {
        return PortSpace.TCP.serviceId(port);
    }

    public static RequestParameters request(Gid source, Gid destination, int port, int qpn) {
        return request(source, destination, port, qpn, PathMtu.MTU_1024, "hello");
    }

    public static RequestParameters request(
            Gid source, Gid destination, int port, int qpn, PathMtu mtu, String privateData) {
        return new RequestParameters(
                serviceId(port),
                CmRequest.RC,
                source,
                SOURCE_PORT,
                destination,
                qpn,
                4,
                2,
                true,
                5,
                6,
                false,
                mtu,
                0x12345,
                0x60,
                64,
                CmTiming.ACK_TIMEOUT,
                Bytes.ascii(privateData));
    }

    /** Returns a REQ of a device with GUID 1. */
    public static MemorySegment requestMad(Gid source, Gid destination, int port, RandomGenerator random) {
        return new CmMessages(1, 15)
                .request(
                        random.nextInt(),
                        random.nextInt(1 << 24),
                        request(source, destination, port, random.nextInt(1 << 24)));
    }

    /** Returns a SIDR_REQ. */
    public static MemorySegment sidrRequestMad(Gid source, Gid destination, int port, RandomGenerator random) {
        SidrRequestParameters parameters =
                new SidrRequestParameters(PortSpace.UDP.serviceId(port), source, 4, destination, Bytes.ascii("hello"));
        return new CmMessages(1, 15).sidrRequest(random.nextInt(), parameters);
    }

    public static ReplyParameters reply(int qpn) {
        return new ReplyParameters(qpn, 2, 4, false, 7, true, Bytes.ascii("welcome"));
    }
}

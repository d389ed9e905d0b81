package dev.verbena.sim.cm;

import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.wire.mad.CmRequest;

/** Default parameters for tests that depend on few of them. */
final class Requests {
    static final int SOURCE_PORT = 40000;

    private Requests() {}

    static long serviceId(int port) {
        return PortSpace.TCP.serviceId(port);
    }

    static RequestParameters request(Gid source, Gid destination, int port, int qpn) {
        return request(source, destination, port, qpn, PathMtu.MTU_1024, "hello");
    }

    static RequestParameters request(Gid source, Gid destination, int port, int qpn, PathMtu mtu, String privateData) {
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

    static ReplyParameters reply(int qpn) {
        return new ReplyParameters(qpn, 2, 4, false, 7, true, Bytes.ascii("welcome"));
    }
}

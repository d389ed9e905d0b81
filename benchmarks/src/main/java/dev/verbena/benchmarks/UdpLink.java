// SPDX-License-Identifier: Apache-2.0
package dev.verbena.benchmarks;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.profile.DeviceProfile;
import dev.verbena.sim.profile.SendWindow;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PathMtu;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Function;

/**
 * Two software devices that exchange packets through UDP sockets on this host, with a reliable connection between them. The
 * two devices are in one process, but each device has its own scheduler ({@code ThreadRuntime}), fabric and provider.
 */
final class UdpLink implements Ends {
    private static final List<Gid> GIDS = List.of(Gid.parse("192.0.2.1"), Gid.parse("192.0.2.2"));

    /**
     * The limit of unacknowledged bytes in flight. The requester asks for an acknowledgement after half a send window of
     * packets. The C program {@code udp.c} has at most 512 KiB in flight. More bytes in flight do not make {@code udp.c}
     * faster.
     */
    private static final int WINDOW_BYTES = 1 << 20;

    private static final int LEAST_PACKETS = 8;

    /** The size of the send queue; also the maximum number of datagrams in flight in the C program {@code udp.c}. */
    static final int DEPTH = 256;

    private final Side left;
    private final Side right;

    UdpLink(Function<ThreadRuntime, UdpFabric> newFabric, PathMtu mtu, long bytes) throws VerbsException {
        left = new Side(newFabric, 0, mtu, bytes);
        right = new Side(newFabric, 1, mtu, bytes);
        left.meet(right);
        right.meet(left);
        QpConnector leftSide = left.connector(mtu);
        QpConnector rightSide = right.connector(mtu);
        rightSide.connect(leftSide.local());
        leftSide.connect(rightSide.local());
    }

    @Override
    public Link.End left() {
        return left.end;
    }

    @Override
    public Link.End right() {
        return right.end;
    }

    @Override
    public void close() {
        left.close();
        right.close();
    }

    /** One of the two connected devices, with its own scheduler ({@code ThreadRuntime}), fabric and provider. */
    private static final class Side implements AutoCloseable {
        private final ThreadRuntime runtime = new ThreadRuntime(1);
        private final UdpFabric fabric;
        private final SimProvider provider;
        private final Gid gid;
        final Link.End end;

        Side(Function<ThreadRuntime, UdpFabric> newFabric, int number, PathMtu mtu, long bytes) throws VerbsException {
            gid = GIDS.get(number);
            fabric = newFabric.apply(runtime);
            fabric.endpoint(gid, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String name = "sim" + number;
            DeviceProfile profile = SimDeviceSpec.of(name, gid.toString()).profile().toBuilder()
                    .sendWindow(new SendWindow(WINDOW_BYTES / mtu.bytes(), LEAST_PACKETS))
                    .build();
            provider = new SimProvider(runtime, fabric, List.of(new SimDeviceSpec(name, List.of(gid), profile)));
            end = new Link.End(provider.open(name), QpType.RC, bytes, DEPTH);
        }

        void meet(Side other) {
            fabric.endpoint(other.gid, other.fabric.endpoint(other.gid));
        }

        QpConnector connector(PathMtu mtu) throws VerbsException {
            return QpConnector.builder(end.queuePair)
                    .access(AccessFlag.REMOTE_WRITE)
                    .pathMtu(mtu)
                    .build();
        }

        @Override
        public void close() {
            end.close();
            provider.close();
            fabric.close();
            runtime.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import dev.verbena.sim.SimDeviceSpec;
import dev.verbena.sim.SimProvider;
import dev.verbena.sim.fabric.Fabric;
import dev.verbena.sim.fabric.InProcessFabric;
import dev.verbena.sim.runtime.ThreadRuntime;
import dev.verbena.sim.udp.UdpFabric;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Three software devices under threads and wall time. */
final class ThreadRig extends Rig {

    private static final int HOSTS = 3;

    private final ThreadRuntime runtime;
    private final AutoCloseable medium;
    private final SimProvider provider;

    private ThreadRig(ThreadRuntime runtime, AutoCloseable medium, SimProvider provider) {
        super(provider);
        this.runtime = runtime;
        this.medium = medium;
        this.provider = provider;
    }

    private static SimProvider provider(ThreadRuntime runtime, Fabric fabric) throws VerbsException {
        return new SimProvider(
                runtime,
                fabric,
                List.of(
                        SimDeviceSpec.of("sim0", "10.0.0.1"),
                        SimDeviceSpec.of("sim1", "10.0.0.2"),
                        SimDeviceSpec.of("sim2", "10.0.0.3")));
    }

    /** Packets go from object to object. */
    static ThreadRig inProcess() throws VerbsException {
        ThreadRuntime runtime = new ThreadRuntime(1);
        return new ThreadRig(runtime, () -> {}, provider(runtime, new InProcessFabric(runtime)));
    }

    /** Packets go through sockets of the loopback interface. */
    static ThreadRig overUdp() throws Exception {
        ThreadRuntime runtime = new ThreadRuntime(1);
        UdpFabric fabric = new UdpFabric(runtime);
        for (int host = 1; host <= HOSTS; host++) {
            fabric.endpoint(
                    Gid.ofAddress(Lab.address(host)), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        }
        return new ThreadRig(runtime, fabric, provider(runtime, fabric));
    }

    @Override
    InetAddress addressOf(int host) {
        return Lab.address(host);
    }

    @Override
    void closeDevices() {
        provider.close();
        try {
            medium.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        runtime.close();
    }
}

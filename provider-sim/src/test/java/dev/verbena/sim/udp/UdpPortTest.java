// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.sim.fabric.SimPacket;
import dev.verbena.sim.runtime.ThreadRuntime;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("udp")
class UdpPortTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void aPortThatCannotStartHoldsNoSelector() throws IOException {
        try (ThreadRuntime runtime = new ThreadRuntime(1);
                UdpFabric fabric = new UdpFabric(runtime, NativeUse.NEVER)) {
            UdpSocket socket = UdpSocket.open(Loopback.ONE_ADDRESS.anyPort(0));
            Endpoint closed = new Endpoint(Loopback.ONE_ADDRESS.gid(0), socket, false, fabric.counters());
            closed.close();
            long before = selectors();
            UdpPort port = new UdpPort(fabric, "closed", List.of(closed), SimPacket::release, DatagramBatching.NONE);

            assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(port::start);

            assertThat(selectors()).isEqualTo(before);
        }
    }

    private static long selectors() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(UdpPortTest::isSelector).count();
        }
    }

    private static boolean isSelector(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("eventpoll");
        } catch (IOException e) {
            // The descriptor that lists the directory is closed by now.
            return false;
        }
    }
}

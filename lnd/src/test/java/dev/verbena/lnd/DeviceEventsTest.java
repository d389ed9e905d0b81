// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.lnd.memory.Cleanup;
import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Asynchronous events that arrive together with a fault, or before the node listens on the device. */
class DeviceEventsTest {
    private static final Duration SOON = Duration.ofMillis(1);

    @Test
    void aListenerThatThrowsHidesNoEventFromTheNextListener() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            LnetNode first = lab.start(1);
            Device device = first.ni().device();
            AsyncEventHandler throwing = event -> {
                throw new IllegalStateException("a fault");
            };
            DeviceEvents.add(device, throwing);
            LnetNode second = lab.start(1, lab.tunables().service(988).build());

            lab.provider().link("sim0", false);
            assertThatThrownBy(() -> lab.pass(SOON)).hasMessage("a fault");

            assertThat(first.isUp()).isFalse();
            assertThat(second.isUp()).isFalse();
            DeviceEvents.remove(device, throwing);
        }
    }

    @Test
    void aPortThatBecomesActiveDoesNotReviveADeviceThatFailed() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            LnetNode node = lab.start(1, lab.tunables().failover(true).build());
            NetworkInterface ni = node.ni();

            ni.onDeviceEvent(ni.hca(), AsyncEventType.DEVICE_FATAL);
            ni.onDeviceEvent(ni.hca(), AsyncEventType.PORT_ACTIVE);

            assertThat(node.isUp()).isFalse();
        }
    }

    @Test
    void aDeviceThatFailsBeforeTheNodeListensOnItIsRefused() throws VerbsException {
        try (Lab lab = new Lab(1)) {
            LnetNode node = lab.start(1, lab.tunables().failover(true).build());
            NetworkInterface ni = node.ni();
            HcaDevice old = ni.hca();
            old.stopListening(new Cleanup(null));
            HcaDevice next = ni.openHcaDevice();
            ni.onDeviceEvent(next, AsyncEventType.DEVICE_FATAL);

            synchronized (DriverParts.lock(node)) {
                assertThat(catchThrowableOfType(VerbsException.class, () -> ni.listen(next)))
                        .extracting(VerbsException::errno)
                        .isEqualTo(Errno.EIO);
            }

            assertThat(ni.hca()).isEqualTo(old);
            Cleanup cleanup = new Cleanup(null);
            next.stopListening(cleanup);
            next.close(cleanup);
            cleanup.end();
        }
    }
}

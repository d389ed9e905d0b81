package dev.verbena.lnd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.AsyncEventHandler;
import dev.verbena.verbs.Device;
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
            Device device = first.net().device();
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
}

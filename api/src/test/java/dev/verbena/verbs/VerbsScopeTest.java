// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerbsScopeTest {
    private final List<String> closed = new ArrayList<>();
    private final VerbsScope scope = new VerbsScope();

    private AutoCloseable object(String name) {
        return () -> closed.add(name);
    }

    @Test
    void theNewestObjectIsClosedFirstAndEachOnce() throws VerbsException {
        scope.opened(object("device"));
        scope.opened(object("pd"));
        scope.close();
        scope.close();
        assertThat(closed).containsExactly("pd", "device");
    }

    @Test
    void anObjectThatRefusesKeepsNoOtherOpenAndIsTriedAgain() throws VerbsException {
        boolean[] busy = {true};
        scope.opened(object("device"));
        scope.opened(() -> {
            if (busy[0]) {
                throw new VerbsException(Errno.EBUSY, "ibv_dealloc_pd", "a region is open");
            }
            closed.add("pd");
        });
        scope.opened(() -> {
            if (busy[0]) {
                throw new VerbsException(Errno.EIO, "ibv_destroy_cq", "the device is gone");
            }
            closed.add("cq");
        });
        assertThatExceptionOfType(VerbsException.class).isThrownBy(scope::close).satisfies(refused -> {
            assertThat(refused.errno()).isEqualTo(Errno.EIO);
            assertThat(refused.getSuppressed()).hasSize(1);
        });
        assertThat(closed).containsExactly("device");
        busy[0] = false;
        scope.close();
        assertThat(closed).containsExactly("device", "cq", "pd");
    }

    @Test
    void anotherLibrarysExceptionIsTheCause() {
        scope.opened(() -> {
            throw new IOException("no space");
        });
        assertThatIllegalStateException().isThrownBy(scope::close).withCauseInstanceOf(IOException.class);
    }
}

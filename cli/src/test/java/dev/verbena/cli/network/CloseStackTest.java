// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloseStackTest {
    private final CloseStack stack = new CloseStack();
    private final List<String> closed = new ArrayList<>();

    @Test
    void closesTheLastFirstAndEachOnce() throws IOException {
        for (String resource : List.of("runtime", "fabric", "devices")) {
            assertThat(stack.add(resource, () -> closed.add(resource))).isSameAs(resource);
        }
        stack.close();
        stack.close();
        assertThat(closed).containsExactly("devices", "fabric", "runtime");
    }

    @Test
    void closesTheRestAfterAFailureAndKeepsTheFirstOne() {
        stack.add("runtime", () -> closed.add("runtime"));
        stack.add("capture", () -> {
            throw new IOException("disk full");
        });
        stack.add("devices", () -> {
            throw new IllegalStateException("in use");
        });
        assertThatThrownBy(stack::close)
                .hasMessage("in use")
                .satisfies(first -> assertThat(first.getSuppressed())
                        .singleElement()
                        .extracting(Throwable::getMessage)
                        .isEqualTo("disk full"));
        assertThat(closed).containsExactly("runtime");
    }
}

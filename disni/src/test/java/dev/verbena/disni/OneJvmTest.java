// SPDX-License-Identifier: Apache-2.0
package dev.verbena.disni;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers and clients of {@link ProcessesTest} as threads of one process, over the default software devices. */
@Timeout(60)
class OneJvmTest {
    private static final String HOST = "192.0.2.1";

    private static int nextPort = 20_000;

    @ParameterizedTest
    @ValueSource(strings = {"usual", "reverse"})
    void rawVerbs(String order) throws Exception {
        String port = String.valueOf(nextPort++);

        Programs.run(
                () -> program.verbs.Server.main(new String[] {HOST, port}),
                () -> program.verbs.Client.main(new String[] {HOST, port, order}));
    }

    @ParameterizedTest
    @ValueSource(strings = {"active", "polling", "passive"})
    void endpoints(String kind) throws Exception {
        String port = String.valueOf(nextPort++);

        Programs.run(() -> program.endpoints.Server.main(new String[] {HOST, port, kind, "2"}), () -> {
            program.endpoints.Client.main(new String[] {HOST, port, kind});
            program.endpoints.Client.main(new String[] {HOST, port, kind});
        });
    }
}

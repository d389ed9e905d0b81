// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    private final Redaction redaction = new Redaction(List.of("node17", "alice", "", "localhost"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.20.30.40",
                "fe80::1234:56ff:fe78:9abc",
                "fe80:0000:0000:0000:1234:56ff:fe78:9abc",
                "::ffff:10.0.0.1",
                "2001:db8::1",
                "0c42:a103:0065:8a1e",
                "0c:42:a1:65:8a:1e",
                "0x0c42a10300658a1e",
                "node17",
                "alice"
            })
    void identifyingTextIsReplaced(String name) {
        assertThat(redaction.redact("before " + name + ", after")).isEqualTo("before redacted-1, after");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "0.0.0.0:4791",
                "at 12:34:56 in 1.234567 s",
                "localhost",
                "fw_ver: 16.35.2000",
                "0x1b5",
                "Verbena::post",
                "malice and node170"
            })
    void otherTextIsNotReplaced(String text) {
        assertThat(redaction.redact(text)).isEqualTo(text);
    }

    @Test
    void theSameNameGetsTheSameReplacement() {
        assertThat(redaction.redact("10.0.0.1 10.0.0.2 10.0.0.1")).isEqualTo("redacted-1 redacted-2 redacted-1");
    }
}

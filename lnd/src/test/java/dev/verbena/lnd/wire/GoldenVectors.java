// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnd.wire;

import java.util.HexFormat;

/**
 * The golden vectors A1 to A10: messages from A = 10.0.0.1@o2ib to B = 10.0.0.2@o2ib and back, and B's answer to a
 * ping.
 */
final class GoldenVectors {

    static final String CONNREQ = """
            91 1b e9 0b 12 00 c0 00 38 00 00 00 00 00 00 00
            01 00 00 0a 00 00 05 00 bc 9a 78 56 34 12 06 00
            02 00 00 0a 00 00 05 00 00 00 00 00 00 00 00 00
            08 00 01 01 00 10 00 00""";

    static final String CONNREQ_BIG_ENDIAN = """
            0b e9 1b 91 00 12 c0 00 00 00 00 38 00 00 00 00
            00 05 00 00 0a 00 00 01 00 06 12 34 56 78 9a bc
            00 05 00 00 0a 00 00 02 00 00 00 00 00 00 00 00
            00 08 01 01 00 00 10 00""";

    static final String CONNACK = """
            91 1b e9 0b 12 00 c1 00 38 00 00 00 00 00 00 00
            02 00 00 0a 00 00 05 00 f0 de 78 56 34 12 06 00
            01 00 00 0a 00 00 05 00 bc 9a 78 56 34 12 06 00
            08 00 01 01 00 10 00 00""";

    static final String REJECT = """
            91 1b e9 0b 12 00 07 00 f0 de 78 56 34 12 06 00
            08 00 01 01 00 10 00 00""";

    static final String NOOP = """
            91 1b e9 0b 12 00 d0 05 30 00 00 00 00 00 00 00
            01 00 00 0a 00 00 05 00 bc 9a 78 56 34 12 06 00
            02 00 00 0a 00 00 05 00 f0 de 78 56 34 12 06 00""";

    static final String IMMEDIATE = """
            91 1b e9 0b 12 00 d1 01 78 00 00 00 00 00 00 00
            01 00 00 0a 00 00 05 00 bc 9a 78 56 34 12 06 00
            02 00 00 0a 00 00 05 00 f0 de 78 56 34 12 06 00
            02 00 00 0a 00 00 05 00 01 00 00 0a 00 00 05 00
            39 30 00 00 39 30 00 00 02 00 00 00 00 00 00 00
            88 77 66 55 44 33 22 11 04 01 00 00 00 00 00 00
            00 00 00 00 00 00 00 80 00 00 00 00 00 00 00 00
            10 01 00 00 00 00 00 00""";

    static final String PUT_ACK = """
            91 1b e9 0b 12 00 d4 00 54 00 00 00 00 00 00 00
            02 00 00 0a 00 00 05 00 f0 de 78 56 34 12 06 00
            01 00 00 0a 00 00 05 00 bc 9a 78 56 34 12 06 00
            11 00 00 00 00 00 00 00 22 00 00 00 00 00 00 00
            45 23 01 00 01 00 00 00 00 00 01 00 00 02 45 23
            01 00 00 00""";

    static final String PUT_DONE = """
            91 1b e9 0b 12 00 d5 00 3c 00 00 00 00 00 00 00
            01 00 00 0a 00 00 05 00 bc 9a 78 56 34 12 06 00
            02 00 00 0a 00 00 05 00 f0 de 78 56 34 12 06 00
            22 00 00 00 00 00 00 00 00 00 01 00""";

    static final String GET_DONE = """
            91 1b e9 0b 12 00 d7 00 3c 00 00 00 00 00 00 00
            02 00 00 0a 00 00 05 00 f0 de 78 56 34 12 06 00
            01 00 00 0a 00 00 05 00 bc 9a 78 56 34 12 06 00
            33 00 00 00 00 00 00 00 c3 ff ff ff""";

    static final String PING_INFO = """
            67 6e 69 70 06 00 00 00 39 30 00 00 02 00 00 00
            00 00 00 00 00 00 09 00 01 00 00 00 00 00 00 00
            02 00 00 0a 00 00 05 00 de c0 aa 15 00 00 00 00""";

    private GoldenVectors() {}

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong arguments of the tools of rdma_cm. */
class CmToolsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    rping                          | be the server with -s, or the client with -c
                    rping -s -c -a 127.0.0.1       | be the server with -s, or the client with -c
                    rping -c                       | a client needs -a
                    rping -s -I 127.0.0.1          | -I is for a client
                    rping -s -S 22                 | -S 22 is not in 23..65535
                    rping -s -S 65536              | -S 65536 is not in 23..65535
                    rping -s -p 0                  | -p 0 is not in 1..65535
                    rping -c -a 127.0.0.1 -C -1    | -C -1 is not in 0..2147483647
                    ucmatose -P udp                | -P 'udp' is neither tcp nor ib
                    ucmatose -f gid                | -f 'gid' is none of name, ip and ipv6
                    ucmatose -c 0                  | -c 0 is not in 1..10000
                    ucmatose -t 256                | -t 256 is not in 0..255
                    ucmatose -a 32                 | -a 32 is not in 0..31
                    ucmatose --wait 0              | --wait 0 is not in 1..2147483647
                    rdma-server -p 65536           | -p 65536 is not in 1..65535
                    rdma-client -s no.such.host.invalid | -s 'no.such.host.invalid' is not an address
                    """)
    void errorsNameTheWrongArgument(String arguments, String complaint) {
        Cli run = Cli.run(arguments.split(" "));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(complaint);
    }
}

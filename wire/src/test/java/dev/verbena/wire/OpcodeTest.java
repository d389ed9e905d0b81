// SPDX-License-Identifier: Apache-2.0
package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The opcode table against the one in the InfiniBand specification, written down anew. */
class OpcodeTest {
    /** Code, name, extension headers in order, length of all headers, place in the message, payload, receive queue. */
    private static final String TABLE = """
        00 SEND_FIRST                       -                  12 S  P  take
        01 SEND_MIDDLE                      -                  12 M  P  -
        02 SEND_LAST                        -                  12 E  P  complete
        03 SEND_LAST_WITH_IMMEDIATE         ImmDt              16 E  P  complete
        04 SEND_ONLY                        -                  12 SE P  take,complete
        05 SEND_ONLY_WITH_IMMEDIATE         ImmDt              16 SE P  take,complete
        06 RDMA_WRITE_FIRST                 RETH               28 S  P  -
        07 RDMA_WRITE_MIDDLE                -                  12 M  P  -
        08 RDMA_WRITE_LAST                  -                  12 E  P  -
        09 RDMA_WRITE_LAST_WITH_IMMEDIATE   ImmDt              16 E  P  take,complete
        0a RDMA_WRITE_ONLY                  RETH               28 SE P  -
        0b RDMA_WRITE_ONLY_WITH_IMMEDIATE   RETH,ImmDt         32 SE P  take,complete
        0c RDMA_READ_REQUEST                RETH               28 SE -  -
        0d RDMA_READ_RESPONSE_FIRST         AETH               16 S  P  -
        0e RDMA_READ_RESPONSE_MIDDLE        -                  12 M  P  -
        0f RDMA_READ_RESPONSE_LAST          AETH               16 E  P  -
        10 RDMA_READ_RESPONSE_ONLY          AETH               16 SE P  -
        11 ACKNOWLEDGE                      AETH               16 SE -  -
        12 ATOMIC_ACKNOWLEDGE               AETH,AtomicAckETH  24 SE -  -
        13 COMPARE_SWAP                     AtomicETH          40 SE -  -
        14 FETCH_ADD                        AtomicETH          40 SE -  -
        16 SEND_LAST_WITH_INVALIDATE        IETH               16 E  P  complete
        17 SEND_ONLY_WITH_INVALIDATE        IETH               16 SE P  take,complete
        1c FLUSH                            FETH,RETH          32 SE -  -
        1d ATOMIC_WRITE                     RETH               28 SE P  -
        64 UD_SEND_ONLY                     DETH               20 SE P  take,complete
        65 UD_SEND_ONLY_WITH_IMMEDIATE      DETH,ImmDt         24 SE P  take,complete
        81 CNP                              -                  12 SE P  -
        """;

    private static final Map<String, Integer> LENGTHS = Map.of(
            "DETH", 8, "RETH", 16, "AtomicETH", 28, "AETH", 4, "AtomicAckETH", 8, "ImmDt", 4, "IETH", 4, "FETH", 4);

    record Row(int code, String name, List<String> headers, int length, String place, boolean payload, String rq) {}

    static List<Row> rows() {
        List<Row> rows = TABLE.lines().map(OpcodeTest::row).toList();
        // UC has the codes up to 0x0b, with the same headers.
        Stream<Row> uc = rows.stream()
                .filter(row -> row.code <= 0x0b)
                .map(row -> new Row(
                        row.code + 0x20,
                        row.name.replace("RC_", "UC_"),
                        row.headers,
                        row.length,
                        row.place,
                        row.payload,
                        row.rq));
        return Stream.concat(rows.stream(), uc).toList();
    }

    private static Row row(String line) {
        String[] columns = line.trim().split(" +");
        int code = Integer.parseInt(columns[0], 16);
        return new Row(
                code,
                code < 0x20 ? "RC_" + columns[1] : columns[1],
                columns[2].equals("-") ? List.of() : List.of(columns[2].split(",")),
                Integer.parseInt(columns[3]),
                columns[4],
                columns[5].equals("P"),
                columns[6]);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void anOpcodeHasThePropertiesOfTheSpecification(Row row) {
        Opcode opcode = Objects.requireNonNull(Opcode.of(row.code));

        assertThat(opcode.code()).isEqualTo(row.code);
        assertThat(opcode.name()).isEqualTo(row.name);
        assertThat(opcode.headerLength()).isEqualTo(row.length);
        assertThat(opcode.isStart()).isEqualTo(row.place.contains("S"));
        assertThat(opcode.isEnd()).isEqualTo(row.place.contains("E"));
        assertThat(opcode.isMiddle()).isEqualTo(row.place.equals("M"));
        assertThat(opcode.isFirst()).isEqualTo(row.place.equals("S"));
        assertThat(opcode.isLast()).isEqualTo(row.place.equals("E"));
        assertThat(opcode.isOnly()).isEqualTo(row.place.equals("SE"));
        assertThat(opcode.hasPayload()).isEqualTo(row.payload);
        assertThat(opcode.needsReceive()).isEqualTo(row.rq.contains("take"));
        assertThat(opcode.completesReceive()).isEqualTo(row.rq.contains("complete"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theExtensionHeadersFollowTheBthInOrder(Row row) {
        Opcode opcode = Objects.requireNonNull(Opcode.of(row.code));
        Map<String, Integer> expected = new HashMap<>();
        int offset = 12;
        for (String header : row.headers) {
            expected.put(header, offset);
            offset += LENGTHS.get(header);
        }

        Map<String, Integer> offsets = new LinkedHashMap<>();
        offsets.put("DETH", opcode.offset(Extension.DETH));
        offsets.put("FETH", opcode.offset(Extension.FETH));
        offsets.put("RETH", opcode.offset(Extension.RETH));
        offsets.put("AtomicETH", opcode.offset(Extension.ATOMIC_ETH));
        offsets.put("AETH", opcode.offset(Extension.AETH));
        offsets.put("AtomicAckETH", opcode.offset(Extension.ATOMIC_ACK_ETH));
        offsets.put("IETH", opcode.offset(Extension.IETH));
        offsets.put("ImmDt", opcode.offset(Extension.IMM_DT));
        offsets.forEach((header, found) -> assertThat(found).as(header).isEqualTo(expected.getOrDefault(header, -1)));
        assertThat(opcode.has(Extension.DETH)).isEqualTo(expected.containsKey("DETH"));
        assertThat(opcode.has(Extension.FETH)).isEqualTo(expected.containsKey("FETH"));
        assertThat(opcode.has(Extension.RETH)).isEqualTo(expected.containsKey("RETH"));
        assertThat(opcode.has(Extension.ATOMIC_ETH)).isEqualTo(expected.containsKey("AtomicETH"));
        assertThat(opcode.has(Extension.AETH)).isEqualTo(expected.containsKey("AETH"));
        assertThat(opcode.has(Extension.ATOMIC_ACK_ETH)).isEqualTo(expected.containsKey("AtomicAckETH"));
        assertThat(opcode.has(Extension.IETH)).isEqualTo(expected.containsKey("IETH"));
        assertThat(opcode.has(Extension.IMM_DT)).isEqualTo(expected.containsKey("ImmDt"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theNameDeterminesTheOperation(Row row) {
        Opcode opcode = Objects.requireNonNull(Opcode.of(row.code));

        boolean response = row.name.contains("RESPONSE") || row.name.contains("ACKNOWLEDGE");
        assertThat(opcode.isResponse()).isEqualTo(response);
        assertThat(opcode.isRequest()).isEqualTo(!response && !row.name.equals("CNP"));
        assertThat(opcode.isSend()).isEqualTo(row.name.contains("SEND"));
        assertThat(opcode.isWrite()).isEqualTo(row.name.contains("RDMA_WRITE"));
        assertThat(opcode.isReadRequest()).isEqualTo(row.name.contains("READ_REQUEST"));
        assertThat(opcode.isReadResponse()).isEqualTo(row.name.contains("READ_RESPONSE"));
        assertThat(opcode.isAck()).isEqualTo(row.name.contains("ACKNOWLEDGE"));
        assertThat(opcode.isAtomic()).isEqualTo(row.name.contains("COMPARE") || row.name.contains("FETCH"));
        assertThat(opcode.isAtomicWrite()).isEqualTo(row.name.contains("ATOMIC_WRITE"));
        assertThat(opcode.isFlush()).isEqualTo(row.name.contains("FLUSH"));
        Transport expected = row.name.startsWith("RC_")
                ? Transport.RC
                : row.name.startsWith("UC_") ? Transport.UC : row.name.startsWith("UD_") ? Transport.UD : Transport.CNP;
        assertThat(opcode.transport()).isEqualTo(expected);
    }

    @Test
    void thereAreNoOtherOpcodes() {
        List<Integer> known = rows().stream().map(Row::code).sorted().toList();
        List<Integer> found = Stream.iterate(0, code -> code + 1)
                .limit(0x100)
                .filter(code -> Opcode.of(code) != null)
                .toList();

        assertThat(found).isEqualTo(known);
        assertThat(Arrays.stream(Opcode.values()).map(Opcode::code).sorted()).containsExactlyElementsOf(known);
    }
}

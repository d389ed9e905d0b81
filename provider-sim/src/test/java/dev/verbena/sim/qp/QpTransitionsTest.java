package dev.verbena.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The transitions against the table of the InfiniBand Architecture Specification (volume 1, 10.3.1, table "QP State
 * Transition Properties") in the terms of {@code ibv_modify_qp}(3). IBV_QP_STATE is implied.
 */
class QpTransitionsTest {
    /** From, to | required | optional, with the short names below. */
    private static final String RC = """
        RESET INIT | PKEY PORT ACCESS |
        INIT INIT | | PKEY PORT ACCESS
        INIT RTR | AV MTU DEST RQ_PSN DEST_RD MIN_RNR | ALT ACCESS PKEY
        RTR RTS | TIMEOUT RETRY RNR_RETRY SQ_PSN RD | CUR ALT ACCESS MIN_RNR MIG
        RTS RTS | | CUR ACCESS ALT MIG MIN_RNR
        RTS SQD | | NOTIFY
        SQD RTS | | CUR ACCESS ALT MIG MIN_RNR
        SQD SQD | | PORT AV TIMEOUT RETRY RNR_RETRY RD DEST_RD ALT ACCESS PKEY MIN_RNR MIG
        """;

    private static final String UC = """
        RESET INIT | PKEY PORT ACCESS |
        INIT INIT | | PKEY PORT ACCESS
        INIT RTR | AV MTU DEST RQ_PSN | ALT ACCESS PKEY
        RTR RTS | SQ_PSN | CUR ALT ACCESS MIG
        RTS RTS | | CUR ACCESS ALT MIG
        RTS SQD | | NOTIFY
        SQD RTS | | CUR ACCESS ALT MIG
        SQD SQD | | AV ALT ACCESS PKEY MIG
        SQE RTS | | CUR ACCESS
        """;

    private static final String UD = """
        RESET INIT | PKEY PORT QKEY |
        INIT INIT | | PKEY PORT QKEY
        INIT RTR | | PKEY QKEY
        RTR RTS | SQ_PSN | CUR QKEY
        RTS RTS | | CUR QKEY
        RTS SQD | | NOTIFY
        SQD RTS | | CUR QKEY
        SQD SQD | | PKEY QKEY
        SQE RTS | | CUR QKEY
        """;

    private static final Map<String, QpAttribute> NAMES = Map.ofEntries(
            Map.entry("CUR", QpAttribute.CURRENT_STATE),
            Map.entry("NOTIFY", QpAttribute.ENABLE_SQD_ASYNC_NOTIFY),
            Map.entry("ACCESS", QpAttribute.ACCESS_FLAGS),
            Map.entry("PKEY", QpAttribute.PKEY_INDEX),
            Map.entry("PORT", QpAttribute.PORT),
            Map.entry("QKEY", QpAttribute.QKEY),
            Map.entry("AV", QpAttribute.ADDRESS_VECTOR),
            Map.entry("MTU", QpAttribute.PATH_MTU),
            Map.entry("TIMEOUT", QpAttribute.ACK_TIMEOUT),
            Map.entry("RETRY", QpAttribute.RETRY_COUNT),
            Map.entry("RNR_RETRY", QpAttribute.RNR_RETRY_COUNT),
            Map.entry("RQ_PSN", QpAttribute.RQ_PSN),
            Map.entry("RD", QpAttribute.MAX_RD_ATOMIC),
            Map.entry("ALT", QpAttribute.ALTERNATE_PATH),
            Map.entry("MIN_RNR", QpAttribute.MIN_RNR_TIMER),
            Map.entry("SQ_PSN", QpAttribute.SQ_PSN),
            Map.entry("DEST_RD", QpAttribute.MAX_DEST_RD_ATOMIC),
            Map.entry("MIG", QpAttribute.PATH_MIGRATION_STATE),
            Map.entry("DEST", QpAttribute.DESTINATION_QPN));

    /** A row of the table. */
    record Row(Set<QpAttribute> required, Set<QpAttribute> optional) {}

    /** The table of a type by {@code "FROM TO"}; to RESET from everywhere, to ERR from everywhere but RESET. */
    static Map<String, Row> table(QpType type) {
        String text = switch (type) {
            case RC -> RC;
            case UC -> UC;
            case UD -> UD;
        };
        Map<String, Row> rows = new HashMap<>();
        for (String line : text.lines().toList()) {
            String[] columns = line.split("\\|", -1);
            rows.put(columns[0].strip(), new Row(attributes(columns[1]), attributes(columns[2])));
        }
        for (QpState from : QpState.values()) {
            rows.put(from + " RESET", new Row(Set.of(), Set.of()));
            if (from != QpState.RESET) {
                rows.put(from + " ERR", new Row(Set.of(), Set.of()));
            }
        }
        return rows;
    }

    private static Set<QpAttribute> attributes(String column) {
        return Arrays.stream(column.strip().split(" "))
                .filter(name -> !name.isEmpty())
                .map(NAMES::get)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(QpAttribute.class)));
    }

    @ParameterizedTest
    @EnumSource(QpType.class)
    void everyTransitionDemandsAndAllowsWhatTheSpecificationSays(QpType type) {
        Map<String, Row> expected = table(type);
        for (QpState from : QpState.values()) {
            for (QpState to : QpState.values()) {
                QpTransitions.Transition transition = QpTransitions.find(type, from, to);
                Row row = expected.get(from + " " + to);
                assertThat(transition == null ? null : new Row(transition.required(), transition.optional()))
                        .as("%s from %s to %s", type, from, to)
                        .isEqualTo(row);
            }
        }
    }
}

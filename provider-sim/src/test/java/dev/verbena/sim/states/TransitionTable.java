// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.states;

import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that each transition requires and permits: the InfiniBand Architecture Specification (volume 1,
 * 10.3.1, table "QP State Transition Properties") in the terms of {@code ibv_modify_qp}(3). STATE is implied.
 */
final class TransitionTable {
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
            Map.entry("CUR", QpAttribute.CUR_STATE),
            Map.entry("NOTIFY", QpAttribute.EN_SQD_ASYNC_NOTIFY),
            Map.entry("ACCESS", QpAttribute.ACCESS_FLAGS),
            Map.entry("PKEY", QpAttribute.PKEY_INDEX),
            Map.entry("PORT", QpAttribute.PORT),
            Map.entry("QKEY", QpAttribute.QKEY),
            Map.entry("AV", QpAttribute.AV),
            Map.entry("MTU", QpAttribute.PATH_MTU),
            Map.entry("TIMEOUT", QpAttribute.TIMEOUT),
            Map.entry("RETRY", QpAttribute.RETRY_CNT),
            Map.entry("RNR_RETRY", QpAttribute.RNR_RETRY),
            Map.entry("RQ_PSN", QpAttribute.RQ_PSN),
            Map.entry("RD", QpAttribute.MAX_QP_RD_ATOMIC),
            Map.entry("ALT", QpAttribute.ALT_PATH),
            Map.entry("MIN_RNR", QpAttribute.MIN_RNR_TIMER),
            Map.entry("SQ_PSN", QpAttribute.SQ_PSN),
            Map.entry("DEST_RD", QpAttribute.MAX_DEST_RD_ATOMIC),
            Map.entry("MIG", QpAttribute.PATH_MIG_STATE),
            Map.entry("DEST", QpAttribute.DEST_QPN));

    private static final Map<QpType, Map<String, Row>> ROWS =
            Map.of(QpType.RC, rows(RC), QpType.UC, rows(UC), QpType.UD, rows(UD));

    private TransitionTable() {}

    /** The required attributes, and the optional ones. */
    record Row(Set<QpAttribute> required, Set<QpAttribute> optional) {}

    /** Returns the row of a transition, or null if there is none. */
    static @Nullable Row find(QpType type, QpState from, QpState to) {
        if (to == QpState.RESET || (to == QpState.ERR && from != QpState.RESET)) {
            return new Row(Set.of(), Set.of());
        }
        return ROWS.get(type).get(from + " " + to);
    }

    private static Map<String, Row> rows(String text) {
        Map<String, Row> rows = new HashMap<>();
        for (String line : text.lines().toList()) {
            String[] columns = line.split("\\|", -1);
            rows.put(columns[0].strip(), new Row(attributes(columns[1]), attributes(columns[2])));
        }
        return rows;
    }

    private static Set<QpAttribute> attributes(String column) {
        return Arrays.stream(column.strip().split(" "))
                .filter(name -> !name.isEmpty())
                .map(NAMES::get)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(QpAttribute.class)));
    }
}

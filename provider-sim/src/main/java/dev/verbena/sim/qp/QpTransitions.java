// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.qp;

import static dev.verbena.verbs.QpAttribute.ACCESS_FLAGS;
import static dev.verbena.verbs.QpAttribute.ALT_PATH;
import static dev.verbena.verbs.QpAttribute.AV;
import static dev.verbena.verbs.QpAttribute.CUR_STATE;
import static dev.verbena.verbs.QpAttribute.DEST_QPN;
import static dev.verbena.verbs.QpAttribute.EN_SQD_ASYNC_NOTIFY;
import static dev.verbena.verbs.QpAttribute.MAX_DEST_RD_ATOMIC;
import static dev.verbena.verbs.QpAttribute.MAX_QP_RD_ATOMIC;
import static dev.verbena.verbs.QpAttribute.MIN_RNR_TIMER;
import static dev.verbena.verbs.QpAttribute.PATH_MIG_STATE;
import static dev.verbena.verbs.QpAttribute.PATH_MTU;
import static dev.verbena.verbs.QpAttribute.PKEY_INDEX;
import static dev.verbena.verbs.QpAttribute.PORT;
import static dev.verbena.verbs.QpAttribute.QKEY;
import static dev.verbena.verbs.QpAttribute.RETRY_CNT;
import static dev.verbena.verbs.QpAttribute.RNR_RETRY;
import static dev.verbena.verbs.QpAttribute.RQ_PSN;
import static dev.verbena.verbs.QpAttribute.SQ_PSN;
import static dev.verbena.verbs.QpAttribute.TIMEOUT;

import dev.verbena.verbs.QpAttribute;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table of the allowed state changes ({@code ib_modify_qp_is_ok}; InfiniBand Architecture Specification volume 1,
 * section 10.3.1). For each state change of a queue pair, the table {@code TABLE} lists the required and the optional
 * attributes, without STATE.
 */
public final class QpTransitions {
    private static final Map<QpType, Map<QpState, Map<QpState, Transition>>> TABLE = new EnumMap<>(QpType.class);

    static {
        connected(QpType.RC);
        connected(QpType.UC);
        datagram();
        for (QpType type : QpType.values()) {
            for (QpState from : QpState.values()) {
                put(type, from, QpState.RESET, none(), none());
                if (from != QpState.RESET) {
                    put(type, from, QpState.ERR, none(), none());
                }
            }
        }
    }

    private QpTransitions() {}

    public record Transition(Set<QpAttribute> required, Set<QpAttribute> optional) {}

    /** Returns the required and the optional attributes of a state change, or null if the change is not allowed. */
    public static @Nullable Transition find(QpType type, QpState from, QpState to) {
        Map<QpState, Map<QpState, Transition>> states = TABLE.get(type);
        Map<QpState, Transition> next = states == null ? null : states.get(from);
        return next == null ? null : next.get(to);
    }

    private static void connected(QpType type) {
        boolean rc = type == QpType.RC;
        Set<QpAttribute> initial = EnumSet.of(PKEY_INDEX, PORT, ACCESS_FLAGS);
        put(type, QpState.RESET, QpState.INIT, initial, none());
        put(type, QpState.INIT, QpState.INIT, none(), initial);
        Set<QpAttribute> toRtr = EnumSet.of(AV, PATH_MTU, DEST_QPN, RQ_PSN);
        Set<QpAttribute> toRts = EnumSet.of(SQ_PSN);
        Set<QpAttribute> inRts = EnumSet.of(CUR_STATE, ACCESS_FLAGS, ALT_PATH, PATH_MIG_STATE);
        Set<QpAttribute> inSqd = EnumSet.of(AV, ALT_PATH, ACCESS_FLAGS, PKEY_INDEX, PATH_MIG_STATE);
        if (rc) {
            toRtr.addAll(EnumSet.of(MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER));
            toRts.addAll(EnumSet.of(TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC));
            inRts.add(MIN_RNR_TIMER);
            inSqd.addAll(EnumSet.of(
                    PORT, TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER));
        } else {
            put(type, QpState.SQE, QpState.RTS, none(), EnumSet.of(CUR_STATE, ACCESS_FLAGS));
        }
        put(type, QpState.INIT, QpState.RTR, toRtr, EnumSet.of(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX));
        put(type, QpState.RTR, QpState.RTS, toRts, inRts);
        put(type, QpState.RTS, QpState.RTS, none(), inRts);
        put(type, QpState.RTS, QpState.SQD, none(), EnumSet.of(EN_SQD_ASYNC_NOTIFY));
        put(type, QpState.SQD, QpState.RTS, none(), inRts);
        put(type, QpState.SQD, QpState.SQD, none(), inSqd);
    }

    private static void datagram() {
        QpType type = QpType.UD;
        Set<QpAttribute> initial = EnumSet.of(PKEY_INDEX, PORT, QKEY);
        Set<QpAttribute> inRts = EnumSet.of(CUR_STATE, QKEY);
        put(type, QpState.RESET, QpState.INIT, initial, none());
        put(type, QpState.INIT, QpState.INIT, none(), initial);
        put(type, QpState.INIT, QpState.RTR, none(), EnumSet.of(PKEY_INDEX, QKEY));
        put(type, QpState.RTR, QpState.RTS, EnumSet.of(SQ_PSN), inRts);
        put(type, QpState.RTS, QpState.RTS, none(), inRts);
        put(type, QpState.RTS, QpState.SQD, none(), EnumSet.of(EN_SQD_ASYNC_NOTIFY));
        put(type, QpState.SQD, QpState.RTS, none(), inRts);
        put(type, QpState.SQD, QpState.SQD, none(), EnumSet.of(PKEY_INDEX, QKEY));
        put(type, QpState.SQE, QpState.RTS, none(), inRts);
    }

    private static Set<QpAttribute> none() {
        return EnumSet.noneOf(QpAttribute.class);
    }

    private static void put(
            QpType type, QpState from, QpState to, Set<QpAttribute> required, Set<QpAttribute> optional) {
        TABLE.computeIfAbsent(type, key -> new EnumMap<>(QpState.class))
                .computeIfAbsent(from, key -> new EnumMap<>(QpState.class))
                .put(to, new Transition(keep(required), keep(optional)));
    }

    /**
     * Copies a set of attributes into an EnumSet, which iterates in the order of the attributes' mask bits. If several
     * attributes are wrong, {@code modify} reports the attribute with the lowest mask bit.
     */
    private static Set<QpAttribute> keep(Set<QpAttribute> attributes) {
        return Collections.unmodifiableSet(EnumSet.copyOf(attributes));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.unruly;

/** Faults of the library's device, in the order of {@code enum fault}, each with a rule that must find the fault. */
enum Fault {
    NONE(""),
    BOUNDS("MEM-01"),
    ANY_RIGHT("MEM-02"),
    LOST_COMPLETION("COMP-01"),
    NO_FLUSH("COMP-02"),
    KEPT_COMPLETIONS("COMP-11"),
    UNARMED_EVENT("EVENT-02"),
    LIMIT_STAYS("SRQ-02"),
    LOST_MESSAGE("RNR-01"),
    IMMEDIATE("COMP-15"),
    DRAINED_TWICE("STATE-13"),
    QKEY_IGNORED("UD-02"),
    WRONG_PSN("STATE-17"),
    REJECT_STATUS("CM-06"),
    SHORT_DATA("CM-02"),
    SHARED_PORT("CM-09"),
    DETACHED_RECEIVES("UD-08"),
    SILENT_RESPONDER("COMP-08"),
    OVERFULL_QUEUE("LIMITS-06"),
    NO_CAS("ATOMIC-02"),
    UNORDERED_CQ("COMP-05"),
    IMPLICIT_MISSES("ODP-10"),
    UNCHECKED_ADVICE("ODP-12"),
    DAMAGED_END("MTU-01"),
    ANY_DOMAIN("MEM-08"),
    ANY_LOW_BYTE("MEM-09"),
    REGION_LIVES("MEM-03"),
    WHOLE_REGION("MEM-21"),
    STAYS_VALID("MEM-25"),
    IGNORED_IOVA("MEM-18"),
    SMALL_ADD("ATOMIC-01"),
    WRITE_TAKES_RECEIVE("RNR-04"),
    FLUSHED_SRQ("SRQ-05"),
    NO_SQE("STATE-15"),
    SENDS_IN_SQD("STATE-11"),
    RIGHTS_STAY("STATE-16"),
    LOST_SOLICITED("EVENT-04"),
    NO_ACCESS_EVENT("EVENT-07"),
    ESTABLISHED_TWICE("EVENT-08"),
    NO_OVERFLOW_EVENT("EVENT-09"),
    KEPT_SLOTS("POST-11"),
    DEPTHS_EXCHANGED("CM-04"),
    NO_DISCONNECT("CM-20"),
    DISCONNECTED_TWICE("CM-30"),
    NO_TOS("CM-15");

    private final String rule;

    Fault(String rule) {
        this.rule = rule;
    }

    String rule() {
        return rule;
    }
}

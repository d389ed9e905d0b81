// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

/** A requirement of a rule on the rig, beside the capabilities of the devices. */
public enum Needs {
    /** Faults can be commanded: {@code ProviderRig.link()}. */
    FAULTS("a link with injectable faults"),
    /** Packets can be observed: {@code ProviderRig.tap()}. */
    TAP("a link whose packets can be observed"),
    /** Several threads can be at work at once. */
    WALL_TIME("devices in wall time, where threads run at once"),
    /** Time is simulated, so that it can be measured to the nanosecond. */
    VIRTUAL_TIME("devices in virtual time"),
    /** Both ports are Ethernet. */
    ROCE("ports whose GIDs are IP addresses (RoCE)"),
    /** Both sides manage connections. */
    CONNECTIONS("connection managers, on RoCE ports"),
    /** Both sides connect queue pairs that were created without an id. */
    CM_EXTERNAL_QP("connection managers with queue pairs created without an id (EXTERNAL_QP), on RoCE ports"),
    /** Both sides find and offer queue pairs for datagrams. */
    CM_DATAGRAMS("connection managers with datagrams (DATAGRAM), on RoCE ports"),
    /** Both sides join groups. */
    CM_MULTICAST("connection managers with groups (MULTICAST), on RoCE ports");

    private final String description;

    Needs(String description) {
        this.description = description;
    }

    /**
     * Describes the requirement in words.
     *
     * @return such as "a link with injectable faults"
     */
    public String description() {
        return description;
    }
}

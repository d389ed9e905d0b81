// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.rules;

/**
 * A property that a rule requires of the {@code ProviderRig} (the two tested devices and the link between them). This enum
 * does not contain the capabilities that a rule requires of the devices; see {@link Rule#needs}.
 */
public enum Needs {
    /** The kit can inject faults on the link between the devices: {@code ProviderRig.link()} is not empty. */
    FAULTS("fault injection on the link"),
    /** The kit can capture packets on the link between the devices: {@code ProviderRig.tap()} is not empty. */
    TAP("packet capture on the link"),
    /** Both devices under test use wall-clock time, and each device supports several threads at the same time. */
    WALL_TIME("devices that run in wall time with parallel threads"),
    /** Both devices use virtual time, so that a conformance rule can measure time to the nanosecond. */
    VIRTUAL_TIME("devices that run in virtual time"),
    /** The link layer of both devices' ports is Ethernet. */
    ROCE("ports whose GIDs are IP addresses (RoCE)"),
    /** Both devices have connection management. */
    CONNECTIONS("RoCE ports with connection managers"),
    /** Both devices can connect queue pairs that were created without a connection id. */
    CM_EXTERNAL_QP("RoCE ports whose connection managers connect queue pairs without an id (EXTERNAL_QP)"),
    /** The connection managers of both devices support {@code PortSpace.UDP}. */
    CM_DATAGRAMS("RoCE ports whose connection managers support datagram services (DATAGRAM)"),
    /** The connection managers of both devices can join multicast groups. */
    CM_MULTICAST("RoCE ports whose connection managers support multicast groups (MULTICAST)");

    private final String description;

    Needs(String description) {
        this.description = description;
    }

    /** Returns the requirement in words, such as "fault injection on the link". */
    public String description() {
        return description;
    }
}

package dev.verbena.conformance;

/** What a rule needs of the rig, beside what the devices can do. */
public enum Needs {
    /** Faults can be commanded: {@link ProviderRig#link()}. */
    FAULTS("a link whose faults can be commanded"),
    /** Packets can be looked at: {@link ProviderRig#tap()}. */
    TAP("a link whose packets can be looked at"),
    /** Several threads can be at work at once. */
    WALL_TIME("devices in wall time, where threads run at once"),
    /** Time is simulated, so that it can be measured to the nanosecond. */
    VIRTUAL_TIME("devices in simulated time"),
    /** Both ports are Ethernet. */
    ROCE("ports whose GIDs are IP addresses (RoCE)"),
    /** Both sides manage connections. */
    CONNECTIONS("connection managers, on RoCE ports"),
    /** Both sides connect queue pairs that no id made. */
    CM_EXTERNAL_QP("connection managers with queue pairs that no id made (EXTERNAL_QP), on RoCE ports"),
    /** Both sides find and offer queue pairs for datagrams. */
    CM_DATAGRAMS("connection managers with datagrams (DATAGRAM), on RoCE ports"),
    /** Both sides join groups. */
    CM_MULTICAST("connection managers with groups (MULTICAST), on RoCE ports");

    private final String description;

    Needs(String description) {
        this.description = description;
    }

    /**
     * Says in words what is needed.
     *
     * @return such as "a link whose faults can be commanded"
     */
    public String description() {
        return description;
    }
}

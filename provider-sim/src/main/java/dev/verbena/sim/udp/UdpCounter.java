// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

/** The counters of a {@link UdpFabric}, summed over its ports. */
public enum UdpCounter {
    /** The number of datagrams handed to the operating system. */
    SENT("udp_sent", "datagrams handed to the operating system"),
    /** The number of datagrams received from sockets. */
    RECEIVED("udp_received", "datagrams received from sockets"),
    /** The number of acknowledgements not sent because a later acknowledgement replaced them. */
    ACKS_REPLACED(
            "udp_acks_replaced",
            "acknowledgements not sent, though their device counts them, because a later one replaced them"),
    /** The number of packets not sent because no socket has their source address. */
    DROPPED_NO_SOURCE(
            "udp_dropped_no_source", "packets not sent because no socket of the port has their source address"),
    /** The number of packets not sent because they are longer than the interface's MTU. */
    DROPPED_OVERSIZED(
            "udp_dropped_oversized",
            "packets not sent because they are longer than the MTU; choose a smaller path MTU"),
    /** The number of packets not sent because the socket's buffer was full. */
    DROPPED_BUFFER_FULL("udp_dropped_buffer_full", "packets not sent because the socket's buffer was full"),
    /** The number of packets not sent because the send call failed for another reason than a full socket buffer. */
    DROPPED_SEND_FAILED(
            "udp_dropped_send_failed",
            "packets not sent because the operating system refused them; most often there is no route to the address"),
    /** The number of received datagrams dropped because they are longer than any packet. */
    DROPPED_TOO_LONG("udp_dropped_too_long", "datagrams dropped because they are longer than any RoCEv2 packet"),
    /** The number of received datagrams dropped because the sender's GID is not of the socket's IP version. */
    DROPPED_FOREIGN(
            "udp_dropped_foreign", "datagrams dropped because their sender has no GID of the receiver's IP version"),
    /**
     * The number of errors that a socket reported in place of a datagram. An error that ends reception on the socket
     * increments only {@link #SOCKETS_LOST}. While a thread busy-polls, some socket errors are not counted.
     */
    RECEIVE_ERRORS(
            "udp_receive_errors",
            "errors that the operating system reported in place of a datagram and that left the socket usable"),
    /**
     * The number of exceptions thrown while datagrams were sent or received. Such exceptions have three causes: a bug in
     * this library, a bug in a {@code PacketReceiver}, or a full Java heap.
     */
    FAILURES(
            "udp_failures",
            "exceptions thrown while datagrams were sent or received; each is reported as an uncaught exception"),
    /** The number of sockets that can no longer receive. */
    SOCKETS_LOST(
            "udp_sockets_lost",
            "sockets that can no longer receive because of a permanent error; open their device again"),
    /** The number of packets whose IPv4 identification was computed from the ICRC. */
    RECOVERED_IDENTIFICATION(
            "udp_recovered_identification", "packets whose IPv4 identification was not 0 and was found from the ICRC"),
    /** The number of peers that were found to use IPv4 identifications other than 0. */
    COUNTING_PEERS("udp_counting_peers", "times that a peer was found to send IPv4 identifications other than 0"),
    /** The number of sockets that accept datagrams without a UDP checksum. */
    CHECKSUMS_OPTIONAL("udp_checksums_optional", "sockets that accept IPv6 datagrams without UDP checksum"),
    /** The number of ports that send each datagram separately because sending a GSO batch (UDP_SEGMENT) failed. */
    SEGMENTATION_REFUSED(
            "udp_segmentation_refused",
            "ports that send each datagram separately because the operating system refused segmentation (GSO)"),
    /** The number of sockets opened to send a flow's packets from the UDP source port of the flow. */
    FLOW_SOCKETS("udp_flow_sockets", "sockets opened to send from the source port of a flow"),
    /** The number of flows that share the endpoint's socket, because their UDP source port cannot be bound. */
    FLOW_PORTS_TAKEN("udp_flow_ports_taken", "flows that share the endpoint's socket because their port is taken");

    private final String label;
    private final String description;

    UdpCounter(String label, String description) {
        this.label = label;
        this.description = description;
    }

    /** {@return the name of the counter for display, in lower case with underscores} */
    public String label() {
        return label;
    }

    /** {@return a phrase that describes the counted event} */
    public String description() {
        return description;
    }
}

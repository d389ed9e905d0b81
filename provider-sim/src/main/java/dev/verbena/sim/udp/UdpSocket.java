// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.udp;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * A non-blocking datagram channel for RoCEv2, bound and never connected. If a socket is not connected and its datagrams may
 * not be fragmented, Linux sets the IPv4 Identification (IP ID) of the datagrams to 0. If a datagram is not part of a GSO
 * batch, the {@code UdpFabric} computes the ICRC with IP ID 0.
 */
final class UdpSocket implements AutoCloseable {
    /**
     * The size of the send buffer or the receive buffer that a socket requests. The operating system limits the size of a
     * socket buffer, on Linux by {@code net.core.rmem_max} and {@code wmem_max}.
     */
    private static final int BUFFER_BYTES = 4 << 20;

    private static final int LOOPBACK_MTU = 65_535;
    private static final int NO_DESCRIPTOR = -1;

    /**
     * This class reads errno after this number of consecutive socket polls without a datagram. This class also reads errno
     * if the {@code Selector} has selected the socket as readable and the next poll finds no datagram.
     */
    private static final int MOST_MISSES = 4096;

    private final DatagramChannel channel;
    private final InetSocketAddress address;

    /** The lock held while a native call sends on {@code descriptor}, so that no other thread closes this socket. */
    private final Object sending = new Object();

    private final Object receiving = new Object();
    private volatile int descriptor = NO_DESCRIPTOR;

    /** The number of consecutive polls that found no datagram and did not read errno. Guarded by {@code receiving}. */
    private int misses;

    /** Whether the {@code Selector} has selected the socket as readable since the last poll of the socket. */
    private volatile boolean announced;

    /** Whether a permanent error has ended receiving. */
    private volatile boolean lost;

    /** Whether GRO may be enabled for receiving. Guarded by {@code receiving}. */
    private boolean mayMerge;

    /** Whether GRO is enabled, so that the kernel may merge received datagrams. Guarded by {@code receiving}. */
    private boolean merges;

    /** The socket's current traffic class, or -1 if the operating system does not allow setting {@code IP_TOS}. */
    private volatile int trafficClass;

    private UdpSocket(DatagramChannel channel, InetSocketAddress address) {
        this.channel = channel;
        this.address = address;
        trafficClass = channel.supportedOptions().contains(StandardSocketOptions.IP_TOS) ? 0 : -1;
    }

    /** Opens a socket for a port of a device. */
    static UdpSocket open(String name, Gid gid, InetSocketAddress address) throws VerbsException {
        try {
            return open(address);
        } catch (BindException e) {
            boolean present = interfaceOf(address.getAddress()) != null;
            throw new VerbsException(
                    present ? Errno.EADDRINUSE : Errno.EADDRNOTAVAIL,
                    "attach",
                    "device " + name + " cannot use GID " + gid + " at " + text(address)
                            + (present
                                    ? ": another socket uses the port, maybe the kernel's rdma_rxe; close that one, or"
                                            + " give the endpoint another port"
                                    : ": no interface of this machine has the address; choose another address"),
                    e);
        } catch (IOException e) {
            throw new VerbsException(
                    Errno.EACCES,
                    "attach",
                    "device " + name + " cannot use GID " + gid + " at " + text(address) + ": " + e.getMessage(),
                    e);
        }
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + " port " + address.getPort();
    }

    /** Opens a socket at an address, for sending or receiving. */
    static UdpSocket open(InetSocketAddress address) throws IOException {
        DatagramChannel channel = newChannel(address);
        try {
            prepare(channel);
            set(channel, StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            set(channel, ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            NetworkInterface own = interfaceOf(address.getAddress());
            if (own != null) {
                set(channel, StandardSocketOptions.IP_MULTICAST_IF, own);
            }
            channel.bind(address);
            return new UdpSocket(channel, (InetSocketAddress) channel.getLocalAddress());
        } catch (IOException e) {
            try (channel) {
                throw e;
            }
        }
    }

    /** Opens a socket that receives the datagrams of a multicast group on the network interface with the address {@code own}. */
    static UdpSocket openGroup(InetSocketAddress group, InetSocketAddress own) throws IOException {
        NetworkInterface through = interfaceOf(own.getAddress());
        if (through == null) {
            throw new BindException("the network interface no longer has the address");
        }
        DatagramChannel channel = newChannel(group);
        try {
            prepare(channel);
            // Every member of the multicast group on this host binds the address of the group.
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(group);
            channel.join(group.getAddress(), through);
            return new UdpSocket(channel, group);
        } catch (IOException | RuntimeException e) {
            try (channel) {
                throw e;
            }
        }
    }

    private static DatagramChannel newChannel(InetSocketAddress address) throws IOException {
        boolean ipv4 = Gid.ofAddress(address.getAddress()).isIpv4();
        return DatagramChannel.open(ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
    }

    private static void prepare(DatagramChannel channel) throws IOException {
        channel.configureBlocking(false);
        set(channel, StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
    }

    private static <T> void set(DatagramChannel channel, SocketOption<T> option, T value) throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
    }

    /** Returns the IP address and UDP port to which the socket is bound; the UDP port is never 0. */
    InetSocketAddress address() {
        return address;
    }

    int port() {
        return address.getPort();
    }

    DatagramChannel channel() {
        return channel;
    }

    /**
     * Sends a datagram without waiting. Returns false if the socket's buffer is full. The traffic class is a property
     * of the socket. If threads send packets of several traffic classes at the same time, some packets may have the
     * wrong traffic class. No receiver checks the traffic class.
     */
    boolean send(ByteBuffer bytes, InetSocketAddress destination, int wantedClass) throws IOException {
        chooseClass(wantedClass);
        return channel.send(bytes, destination) > 0;
    }

    /** If native calls work, finds the socket's file descriptor, which the functions of the C library need. */
    void findDescriptor() {
        try {
            descriptor = NativeSocketOptions.descriptorOf(address);
        } catch (IOException e) {
            // Without the file descriptor, `UdpSocket` sends and receives through the `DatagramChannel`.
        }
    }

    boolean hasDescriptor() {
        return descriptor != NO_DESCRIPTOR;
    }

    /**
     * Returns whether the kernel can send and receive several datagrams of one length as one batch (GSO and GRO).
     * {@link #receive} enables GRO when datagrams of one length arrive together. Before GRO is enabled, a poll of the
     * socket costs less, because no control message is read.
     */
    boolean mergesDatagrams() {
        synchronized (receiving) {
            mayMerge = NativeSocketOptions.knows(descriptor, NativeSocketOptions.GRO)
                    && NativeSocketOptions.knows(descriptor, NativeSocketOptions.SEGMENT);
            return mayMerge;
        }
    }

    private void merge() {
        mayMerge = false;
        try {
            NativeSocketOptions.enable(descriptor, NativeSocketOptions.GRO);
            merges = true;
        } catch (IOException e) {
            // Without GRO, the kernel delivers each datagram separately.
        }
    }

    /** Sends datagrams or GSO batches on this socket, as {@link MessageVector#send} does. Never waits. */
    int send(MessageVector messages, int first, int count, int wantedClass) {
        synchronized (sending) {
            if (!channel.isOpen()) {
                return messages.closed();
            }
            chooseClass(wantedClass);
            return messages.send(descriptor, first, count);
        }
    }

    /**
     * Sends one datagram without waiting. Returns a negative number on failure; {@link MessageVector#errno()} then returns
     * the error code.
     */
    int send(MessageVector messages, long bytes, int length, InetSocketAddress to, int wantedClass) {
        synchronized (sending) {
            if (!channel.isOpen()) {
                return messages.closed();
            }
            chooseClass(wantedClass);
            return messages.send(descriptor, bytes, length, to);
        }
    }

    /** Records that the {@code Selector} has selected the socket as readable, because of a datagram or an error. */
    void announced() {
        announced = true;
    }

    /** Returns whether this UDP socket is open but can no longer receive. */
    boolean isLost() {
        return lost;
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /**
     * Receives the datagrams or GRO batches that have arrived, and returns their number. A failed native call clears the
     * socket's pending error. Reading errno after each failed call would cost too much, so this method reads errno only
     * after some failed calls, and does not report all errors. If the {@code Selector} has selected the socket as readable
     * since the last call, this method first reads the socket's pending error.
     *
     * @throws IOException if the socket has a reported error; this method throws once for each error. After some
     *     errors, the socket can no longer receive (see {@link #isLost})
     */
    int receive(MessageVector messages, int most) throws IOException {
        synchronized (receiving) {
            if (!channel.isOpen()) {
                throw new IOException("receiving at " + address + ": the socket is closed");
            }
            if (lost) {
                return 0;
            }
            if (announced) {
                announced = false;
                misses = MOST_MISSES - 1;
                int pending = messages.pendingError(descriptor);
                if (pending != 0) {
                    throw failure(pending);
                }
            }
            int taken = take(messages, most);
            if (taken < 0 && ++misses >= MOST_MISSES) {
                misses = 0;
                taken = messages.receiveOneOrErrno(descriptor);
                if (taken < 0 && messages.errno() != SocketCalls.EAGAIN) {
                    throw failure(messages.errno());
                }
            } else if (taken > 0) {
                misses = 0;
            }
            if (mayMerge && taken > 1 && messages.received(0) == messages.received(1)) {
                merge();
            }
            return Math.max(0, taken);
        }
    }

    private int take(MessageVector messages, int most) {
        if (most > 1) {
            return messages.receive(descriptor, most);
        }
        return merges ? messages.receiveOne(descriptor) : messages.receiveAlone(descriptor);
    }

    private IOException failure(int errno) {
        lost = !SocketCalls.passes(errno);
        return new IOException("receiving at " + address + ": errno " + errno);
    }

    private void chooseClass(int wantedClass) {
        int set = trafficClass;
        if (set >= 0 && set != wantedClass) {
            setTrafficClass(wantedClass);
        }
    }

    /** Sets the socket option IP_TOS, also over IPv6. If setting IP_TOS fails, later calls do not try again. */
    private void setTrafficClass(int wanted) {
        try {
            channel.setOption(StandardSocketOptions.IP_TOS, wanted);
            trafficClass = wanted;
        } catch (IOException | UnsupportedOperationException refused) {
            trafficClass = -1;
        }
    }

    /** Receives a datagram and returns its sender, or null if no datagram had arrived. */
    @Nullable InetSocketAddress receive(ByteBuffer into) throws IOException {
        return (InetSocketAddress) channel.receive(into);
    }

    /** Returns the MTU of the network interface with an IP address; 65535 if no network interface of this host has it. */
    static int mtu(InetAddress address) {
        try {
            NetworkInterface own = interfaceOf(address);
            int mtu = own == null ? LOOPBACK_MTU : own.getMTU();
            // Windows reports no MTU for its loopback interface.
            return mtu <= 0 || mtu > LOOPBACK_MTU ? LOOPBACK_MTU : mtu;
        } catch (SocketException e) {
            return LOOPBACK_MTU;
        }
    }

    /** Returns the network interface that has an IP address. All of 127.0.0.0/8 belongs to the loopback interface. */
    static @Nullable NetworkInterface interfaceOf(InetAddress address) {
        try {
            NetworkInterface own = NetworkInterface.getByInetAddress(address);
            if (own != null || !address.isLoopbackAddress()) {
                return own;
            }
            try (Stream<NetworkInterface> all = NetworkInterface.networkInterfaces()) {
                return all.filter(UdpSocket::isLoopback).findFirst().orElse(null);
            }
        } catch (SocketException e) {
            return null;
        }
    }

    private static boolean isLoopback(NetworkInterface candidate) {
        try {
            return candidate.isLoopback();
        } catch (SocketException e) {
            return false;
        }
    }

    /** Closes the socket, and ends the calls that other threads make on the socket. Closing the socket again has no effect. */
    @Override
    public void close() {
        synchronized (sending) {
            synchronized (receiving) {
                try {
                    channel.close();
                } catch (IOException e) {
                    // The descriptor is closed even if `close` throws an exception.
                }
            }
        }
    }

    @Override
    public String toString() {
        return address.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The errors that verbs report, with the errno values of Linux.
 *
 * <p>Nearly every function of libibverbs returns an errno value, and kernel functions return negated errno values. The
 * values of the asm-generic {@code errno.h} apply to x86-64, Arm, POWER, s390 and RISC-V. Other systems have different
 * errno values, so a provider converts each value to a constant. An application should compare constants, not values.
 *
 * @since 1.0
 */
public enum Errno {
    /** Operation not permitted: the call needs a privilege, for instance CAP_NET_RAW for a raw packet QP. */
    EPERM(1, "operation not permitted"),
    /** The named device, port, GID or object does not exist. */
    ENOENT(2, "no such object"),
    /** A signal or {@link Thread#interrupt()} interrupted the wait. */
    EINTR(4, "interrupted while waiting"),
    /** The device returned a wrong result or no result. */
    EIO(5, "input/output error in the device"),
    /** The file descriptor or the object is closed. */
    EBADF(9, "descriptor is not open"),
    /** No result is available yet, or a resource is temporarily exhausted. */
    EAGAIN(11, "try again later"),
    /**
     * A queue is full, or memory cannot be pinned. A low limit of locked memory ({@code ulimit -l}) often prevents the
     * pinning of memory.
     */
    ENOMEM(12, "out of memory, queue full, or locked-memory limit reached"),
    /** The caller has no permission for the requested access. */
    EACCES(13, "access denied"),
    /** An address range is not mapped. */
    EFAULT(14, "bad address"),
    /** The object is in use: the application must first close the objects that depend on the object. */
    EBUSY(16, "object is in use"),
    /** The object already exists. */
    EEXIST(17, "object exists already"),
    /** The device does not exist, or it was removed. */
    ENODEV(19, "no such device"),
    /** An argument, an attribute mask or a state transition is not allowed. */
    EINVAL(22, "invalid argument"),
    /** A table of the device is full. */
    ENOSPC(28, "no room left in a table of the device"),
    /** A number in the call is outside its range. */
    ERANGE(34, "value out of range"),
    /** The kernel or the driver does not implement the call. */
    ENOSYS(38, "call not implemented"),
    /** The requested table entry is empty, for instance an unused entry of the GID table. */
    ENODATA(61, "no data available"),
    /** The peer violated the protocol. */
    EPROTO(71, "protocol error"),
    /** The message is longer than the transport allows. */
    EMSGSIZE(90, "message too long"),
    /** The protocol is not supported. */
    EPROTONOSUPPORT(93, "protocol not supported"),
    /** The device lacks the capability. */
    EOPNOTSUPP(95, "operation not supported"),
    /** Another rdma_cm id or socket uses the IP address and port, or another device port has the GID. */
    EADDRINUSE(98, "address already in use"),
    /** The IP address or GID belongs to no RDMA device of this host. */
    EADDRNOTAVAIL(99, "address not available"),
    /** The network interface is down. */
    ENETDOWN(100, "network is down"),
    /** No route leads to the network. */
    ENETUNREACH(101, "network unreachable"),
    /** The local application aborted the connection. */
    ECONNABORTED(103, "connection aborted"),
    /** The peer ended the connection. */
    ECONNRESET(104, "connection reset by peer"),
    /** No buffer space is left. */
    ENOBUFS(105, "no buffer space available"),
    /** The connection is established already. */
    EISCONN(106, "already connected"),
    /** The connection does not exist. */
    ENOTCONN(107, "not connected"),
    /** An operation exceeded its time limit, or the peer no longer replies. */
    ETIMEDOUT(110, "timed out"),
    /** No application listens on the IP address and port, or the listener rejected the connection request. */
    ECONNREFUSED(111, "connection refused"),
    /** No route leads to the host. */
    EHOSTUNREACH(113, "host unreachable"),
    /** The same operation on the same object has already started and is not yet complete. */
    EALREADY(114, "operation already in progress"),
    /** The operation was started, and its result is reported later. */
    EINPROGRESS(115, "operation now in progress"),
    /** The object to which a handle refers no longer exists. */
    ESTALE(116, "stale handle"),
    /** The operation was cancelled, typically by a close. */
    ECANCELED(125, "operation canceled"),
    /** An unknown errno value: {@link #number()} is -1, and {@link VerbsException#errnoNumber()} returns the value. */
    UNKNOWN(-1, "unlisted error");

    private static final CodeTable<Errno> BY_NUMBER = new CodeTable<>("errno", values(), Errno::number);

    private final int number;
    private final String description;

    Errno(int number, String description) {
        this.number = number;
        this.description = description;
    }

    /** {@return the positive errno value in Linux's {@code errno.h}, -1 for {@link #UNKNOWN}} */
    public int number() {
        return number;
    }

    /**
     * {@return a phrase in lower case that describes the error of a verb; the phrase does not contain the name of the
     * constant}
     */
    public String description() {
        return description;
    }

    /**
     * Finds the constant of an errno value. The method throws no exception for an unknown value, because such an exception
     * would hide the error of the failed call.
     *
     * @param number a positive errno value of Linux
     * @return the error, {@link #UNKNOWN} if Verbena does not know the value
     */
    public static Errno of(int number) {
        return BY_NUMBER.find(number, UNKNOWN);
    }
}

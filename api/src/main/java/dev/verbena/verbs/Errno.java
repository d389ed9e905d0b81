// SPDX-License-Identifier: Apache-2.0
package dev.verbena.verbs;

/**
 * The error numbers that verbs return, with Linux's numbers.
 *
 * <p>libibverbs returns them, negated in the kernel, from nearly every call; the numbers of the
 * asm-generic {@code errno.h} hold on x86-64, Arm, POWER, s390 and RISC-V. Other systems number differently, so a
 * provider translates and callers compare constants, not numbers.
 *
 * @since 1.0
 */
public enum Errno {
    /** Operation not permitted: the call needs a privilege, for instance CAP_NET_RAW for a raw packet QP. */
    EPERM(1, "operation not permitted"),
    /** The named device, port, GID or object does not exist. */
    ENOENT(2, "no such object"),
    /** A signal or an interrupt ended the wait. */
    EINTR(4, "interrupted while waiting"),
    /** The device answered wrongly or not at all. */
    EIO(5, "input/output error in the device"),
    /** The descriptor is closed. */
    EBADF(9, "descriptor is not open"),
    /** Nothing is there yet, or a resource is short for the moment. */
    EAGAIN(11, "try again later"),
    /** A queue is full, or memory cannot be pinned: often the limit of locked memory ({@code ulimit -l}). */
    ENOMEM(12, "out of memory, queue full, or locked-memory limit reached"),
    /** The requested access is not granted. */
    EACCES(13, "access denied"),
    /** An address range is not mapped. */
    EFAULT(14, "bad address"),
    /** Another object still uses this one: close the dependents first. */
    EBUSY(16, "object is in use"),
    /** It exists already. */
    EEXIST(17, "object exists already"),
    /** No such device, or it was removed. */
    ENODEV(19, "no such device"),
    /** An argument, an attribute mask or a state transition is not allowed. */
    EINVAL(22, "invalid argument"),
    /** A table of the device is full. */
    ENOSPC(28, "no room left in a table of the device"),
    /** A number lies outside its range. */
    ERANGE(34, "value out of range"),
    /** The kernel or the driver has no such call. */
    ENOSYS(38, "call not implemented"),
    /** The requested entry is empty, for instance an unused GID index. */
    ENODATA(61, "no data available"),
    /** The peer broke the protocol. */
    EPROTO(71, "protocol error"),
    /** The message is longer than the transport takes. */
    EMSGSIZE(90, "message too long"),
    /** The protocol is not supported. */
    EPROTONOSUPPORT(93, "protocol not supported"),
    /** The device lacks the capability. */
    EOPNOTSUPP(95, "operation not supported"),
    /** Another listener holds the address and port. */
    EADDRINUSE(98, "address already in use"),
    /** The address belongs to no RDMA device of this machine. */
    EADDRNOTAVAIL(99, "address not available"),
    /** The network interface is down. */
    ENETDOWN(100, "network is down"),
    /** No route leads to the network. */
    ENETUNREACH(101, "network unreachable"),
    /** This side aborted the connection. */
    ECONNABORTED(103, "connection aborted"),
    /** The peer ended the connection. */
    ECONNRESET(104, "connection reset by peer"),
    /** No buffers are left. */
    ENOBUFS(105, "no buffer space available"),
    /** The connection is established already. */
    EISCONN(106, "already connected"),
    /** The connection does not exist. */
    ENOTCONN(107, "not connected"),
    /** The deadline passed, or the peer stopped answering. */
    ETIMEDOUT(110, "timed out"),
    /** No application listens at the address, or the listener rejected. */
    ECONNREFUSED(111, "connection refused"),
    /** No route leads to the host. */
    EHOSTUNREACH(113, "host unreachable"),
    /** The same operation is in progress. */
    EALREADY(114, "operation already in progress"),
    /** The operation was started and will report later. */
    EINPROGRESS(115, "operation now in progress"),
    /** The object of the handle no longer exists. */
    ESTALE(116, "stale handle"),
    /** The operation was withdrawn, typically by close. */
    ECANCELED(125, "operation canceled"),
    /** A number that this release does not know: {@link #number()} is -1, {@link VerbsException#errnoNumber()} has it. */
    UNKNOWN(-1, "unlisted error");

    private static final CodeTable<Errno> BY_NUMBER = new CodeTable<>("errno", values(), Errno::number);

    private final int number;
    private final String description;

    Errno(int number, String description) {
        this.number = number;
        this.description = description;
    }

    /**
     * The positive number as in Linux's {@code errno.h}.
     *
     * @return the number, -1 for {@link #UNKNOWN}
     */
    public int number() {
        return number;
    }

    /**
     * Describes the meaning of the number for verbs.
     *
     * @return a few words in lower case, without the name
     */
    public String description() {
        return description;
    }

    /**
     * Finds the constant of a number and never fails, so that an unexpected errno cannot hide the error it reports.
     *
     * @param number a positive Linux error number
     * @return its constant, {@link #UNKNOWN} when it is not listed
     */
    public static Errno of(int number) {
        return BY_NUMBER.find(number, UNKNOWN);
    }
}

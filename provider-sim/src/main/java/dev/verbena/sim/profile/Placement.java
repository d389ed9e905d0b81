package dev.verbena.sim.profile;

/** When the bytes of a message become visible in the receiver's memory. */
public enum Placement {
    /** As each packet is carried out, as Soft-RoCE and most adapters do. */
    IMMEDIATE,
    /**
     * As late and as much out of order as the specification allows (IBTA volume 1, 9.5 and 10.8): the bytes of an RDMA WRITE
     * are kept until something lets the program know of them, namely a receive completion of the same queue pair, the
     * answer to a READ, an atomic operation or a FLUSH behind it, or the end of the queue pair; and then are written in a
     * random order, drawn from the runtime's seed. A program that polls memory for the last byte of a WRITE, which works on
     * the adapters that most people have, is caught out.
     */
    ADVERSARIAL
}

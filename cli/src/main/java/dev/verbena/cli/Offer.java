package dev.verbena.cli;

/**
 * What an initiator is about to carry, in the 64 bits that come with a PUT: 44 for the size, 20 for the size of a message
 * less one.
 *
 * @param size bytes in all, less than 16 TiB
 * @param messageSize bytes of one message, 1 to 1 MiB
 */
record Offer(long size, long messageSize) {
    private static final int MESSAGE_BITS = 20;
    private static final long MESSAGE_MASK = (1L << MESSAGE_BITS) - 1;

    static Offer decode(long number) {
        return new Offer(number >>> MESSAGE_BITS, (number & MESSAGE_MASK) + 1);
    }

    static long encode(long size, long messageSize) {
        return size << MESSAGE_BITS | (messageSize - 1);
    }
}

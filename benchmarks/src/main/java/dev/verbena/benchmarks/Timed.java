package dev.verbena.benchmarks;

/** Something whose speed is a figure, ready to be done again and again. */
interface Timed extends AutoCloseable {
    /**
     * Does it for a while.
     *
     * @return how many operations that were
     */
    int run();

    @Override
    void close();
}

package dev.verbena.sim.runtime;

/** Something that was added and can be taken back. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
    /** Takes it back; idempotent. */
    @Override
    void close();
}

package dev.verbena.lnet;

/**
 * A driver's name for a message that it gave to {@link LndHost#parse} and whose payload it still holds. Opaque to LNet,
 * which hands it back to {@link Lnd#receive} exactly once.
 */
public interface ReceiveHandle {}

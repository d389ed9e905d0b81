package dev.verbena.lnet;

/**
 * Is told what happens to the memory descriptors it was given to.
 *
 * <p>Calls of one node come one after the other, with no lock held: a handler may start operations and attach or unlink
 * descriptors, and must not block.
 */
@FunctionalInterface
public interface LnetEventHandler {

    /**
     * Takes one event.
     *
     * @param event what happened
     */
    void onEvent(LnetEvent event);
}

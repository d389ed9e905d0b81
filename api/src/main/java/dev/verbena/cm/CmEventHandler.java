package dev.verbena.cm;

/**
 * Takes the events of a channel as they come: the kernel's {@code rdma_cm_event_handler}. Calls for one channel never
 * overlap; no lock of the provider is held; the handler may call any non-blocking method, also close the id.
 *
 * @since 1.0
 */
@FunctionalInterface
public interface CmEventHandler {
    /**
     * An event came; it is acknowledged when this method returns.
     *
     * @param event the event
     */
    void onCmEvent(CmEvent event);
}

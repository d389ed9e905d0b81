// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.cm.NativeConnectionManager;
import dev.verbena.ibverbs.library.CmCalls;
import dev.verbena.ibverbs.queue.NativeCq;
import dev.verbena.ibverbs.struct.IbvAsyncEvent;
import dev.verbena.ibverbs.struct.IbvCompChannel;
import dev.verbena.ibverbs.struct.IbvContext;
import dev.verbena.ibverbs.struct.IbvCq;
import dev.verbena.ibverbs.struct.IbvDevice;
import dev.verbena.spi.WallRuntime;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.AsyncEventType;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The event thread of a device while devices and channels are closed, and while the calls and handlers it runs fail. */
class EventThreadTest {
    private static final int ASYNC_DESCRIPTOR = 41;
    private static final int CHANNEL_DESCRIPTOR = 51;
    private static final int FREED = 0x7f7f7f7f;

    private final FakeLibrary library = new FakeLibrary();
    private final MemorySegment context = library.zeroed(IbvContext.LAYOUT);

    private volatile int code = AsyncEventType.PORT_ACTIVE.code();

    EventThreadTest() {
        context.set(ValueLayout.JAVA_INT, IbvContext.ASYNC_FD, ASYNC_DESCRIPTOR);
        library.verbs.opening(context);
    }

    @Test
    void aContextIsNotReadOnceTheLibraryHasFreedIt() throws Exception {
        Device device = library.open();
        library.verbs.closing(() -> {
            context.set(ValueLayout.JAVA_INT, IbvContext.ASYNC_FD, FREED);
            int before = library.system.polls();
            // The event thread wakes up before close returns, as any program may wake it.
            library.system.open().forEach(descriptor -> library.system.readable(descriptor, true));
            try {
                assertThat(library.system.awaitPoll(before)).isTrue();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
            return 0;
        });

        device.close();

        assertThat(library.system.polled()).contains(ASYNC_DESCRIPTOR).doesNotContain(FREED);
    }

    private Set<Long> openChannels() {
        Set<Long> open = new HashSet<>();
        when(library.completions.createCompChannel(any(), any())).thenAnswer(call -> {
            MemorySegment channel = library.zeroed(IbvCompChannel.LAYOUT);
            open.add(channel.address());
            return FakeLibrary.pointer(channel);
        });
        when(library.completions.destroyCompChannel(any(), any())).thenAnswer(call -> {
            assertThat(open.remove(((MemorySegment) call.getArgument(1)).address()))
                    .isTrue();
            return 0;
        });
        when(library.completions.createCq(any(), any(), anyInt(), any(), any(), anyInt()))
                .thenAnswer(call -> {
                    long channel = ((MemorySegment) call.getArgument(4)).address();
                    assertThat(channel == 0 || open.contains(channel)).isTrue();
                    return FakeLibrary.pointer(library.zeroed(IbvCq.LAYOUT));
                });
        return open;
    }

    private static final CqInitAttributes HANDLED =
            CqInitAttributes.builder().capacity(4).handler(queue -> {}).build();

    @Test
    void aDeviceThatRefusedToBeClosedMakesQueuesWithHandlers() throws Exception {
        Set<Long> open = openChannels();
        Device device = library.open();
        device.createCq(HANDLED).close();
        library.verbs.closing(() -> Errno.EBUSY.number());
        assertThat(catchThrowableOfType(VerbsException.class, device::close).errno())
                .isEqualTo(Errno.EBUSY);

        device.createCq(HANDLED).close();

        library.verbs.closing(() -> 0);
        device.close();
        assertThat(open).isEmpty();
        assertThat(library.system.awaitAllClosed()).isTrue();
    }

    @Test
    void aDeviceOfTheConnectionManagerMakesQueuesWithHandlersAfterItRefusedToBeClosed() throws Exception {
        openChannels();
        context.set(ValueLayout.ADDRESS, 0, library.zeroed(IbvDevice.LAYOUT));
        library.verbs.add("cm0", 1, 1);
        Device device = new NativeConnectionManager(
                        library.library("libibverbs.so.1", library.verbs), mock(CmCalls.class), new WallRuntime())
                .device(FakeLibrary.pointer(context));
        device.createCq(HANDLED).close();
        assertThat(catchThrowableOfType(VerbsException.class, device::close))
                .hasMessageContaining("connection manager");

        CompletionQueue again = device.createCq(HANDLED);

        again.close();
    }

    /** Has the kernel announce queues, of which the first one is closed as soon as its announcement is acknowledged. */
    private void announceAndCloseTheFirst(CompletionQueue... queues) {
        Queue<CompletionQueue> announced = new ConcurrentLinkedQueue<>(List.of(queues));
        when(library.completions.getCqEvent(any(), any(), any(), any())).thenAnswer(call -> {
            CompletionQueue next = announced.poll();
            if (next == null) {
                library.system.readable(CHANNEL_DESCRIPTOR, false);
                return -1;
            }
            MemorySegment pointer = ((NativeCq) next).handle().pointer();
            ((MemorySegment) call.getArgument(2)).set(ValueLayout.ADDRESS, 0, pointer);
            return 0;
        });
        doAnswer(call -> {
                    queues[0].close();
                    return null;
                })
                .when(library.completions)
                .ackCqEvents(any(), anyInt());
    }

    @Test
    void aQueueThatIsClosedAfterItsAnnouncementWasReadIsNotAnnounced() throws Exception {
        Device device = library.open();
        CompletionChannel channel = device.createCompletionChannel();
        announceAndCloseTheFirst(device.createCq(
                CqInitAttributes.builder().capacity(4).channel(channel).build()));

        assertThat(channel.poll()).isEmpty();

        channel.close();
        device.close();
    }

    @Test
    void theHandlerOfAQueueThatIsClosedAfterItsAnnouncementWasReadIsNotCalled() throws Exception {
        when(library.completions.createCompChannel(any(), any())).thenAnswer(call -> {
            MemorySegment channel = library.zeroed(IbvCompChannel.LAYOUT);
            channel.set(ValueLayout.JAVA_INT, IbvCompChannel.FD, CHANNEL_DESCRIPTOR);
            return FakeLibrary.pointer(channel);
        });
        Device device = library.open();
        BlockingQueue<CompletionQueue> handled = new LinkedBlockingQueue<>();
        CqInitAttributes attributes =
                CqInitAttributes.builder().capacity(4).handler(handled::add).build();
        CompletionQueue closed = device.createCq(attributes);
        CompletionQueue open = device.createCq(attributes);
        announceAndCloseTheFirst(closed, open);

        library.system.readable(CHANNEL_DESCRIPTOR, true);

        assertThat(handled.poll(10, TimeUnit.SECONDS)).isSameAs(open);
        open.close();
        device.close();
    }

    /** Has the kernel report events of the device; the calling order is that of the queue. */
    private Queue<Runnable> events() {
        Queue<Runnable> events = new ConcurrentLinkedQueue<>(new ArrayDeque<>());
        when(library.contexts.getAsyncEvent(any(), any(), any())).thenAnswer(call -> {
            Runnable next = events.poll();
            if (next == null) {
                library.system.readable(ASYNC_DESCRIPTOR, false);
                return -1;
            }
            next.run();
            MemorySegment raw = call.getArgument(2);
            raw.set(ValueLayout.JAVA_INT, IbvAsyncEvent.EVENT_TYPE, code);
            raw.set(ValueLayout.JAVA_INT, IbvAsyncEvent.ELEMENT, 1);
            return 0;
        });
        return events;
    }

    private void report(Queue<Runnable> events, Runnable... each) {
        for (Runnable event : each) {
            events.add(event);
        }
        library.system.readable(ASYNC_DESCRIPTOR, true);
    }

    /** A program cannot open a work queue here, but the device may have one of another library in the same process. */
    @Test
    void anEventOfAWorkQueueIsReportedForTheDevice() throws Exception {
        Queue<Runnable> events = events();
        Device device = library.open();
        code = AsyncEventType.WQ_FATAL.code();

        report(events, () -> {});

        AsyncEvent event = device.asyncEvents().await(Duration.ofSeconds(10)).orElseThrow();
        assertThat(event.type()).isEqualTo(AsyncEventType.WQ_FATAL);
        assertThat(event.device()).isSameAs(device);
        device.close();
    }

    @Test
    void anEventOfALaterReleaseIsReportedByNumber() throws Exception {
        Queue<Runnable> events = events();
        Device device = library.open();
        code = 42;

        report(events, () -> {});

        AsyncEvent event = device.asyncEvents().await(Duration.ofSeconds(10)).orElseThrow();
        assertThat(event.type()).isEqualTo(AsyncEventType.UNKNOWN);
        assertThat(event.code()).isEqualTo(42);
        assertThat(event.device()).isSameAs(device);
        device.close();
    }

    private static void fail() {
        throw new IllegalStateException("of the event thread");
    }

    @Test
    void theThreadSurvivesEveryExceptionOfACallOrAHandler() throws Exception {
        Queue<Runnable> events = events();
        Device device = library.open();
        BlockingQueue<AsyncEvent> handled = new LinkedBlockingQueue<>();
        device.asyncEvents().setHandler(event -> {
            handled.add(event);
            throw sneaky(new Exception("undeclared, of the handler"));
        });

        report(events, () -> {}, EventThreadTest::fail, () -> {});
        assertThat(handled.poll(10, TimeUnit.SECONDS)).isNotNull();
        library.system.readable(ASYNC_DESCRIPTOR, true);
        assertThat(handled.poll(10, TimeUnit.SECONDS)).isNotNull();
        int before = library.system.polls();
        library.system.failPolls(2);
        assertThat(library.system.awaitPoll(before + 2)).isTrue();
        report(events, () -> {});
        assertThat(handled.poll(10, TimeUnit.SECONDS)).isNotNull();

        device.close();
        assertThat(library.system.awaitAllClosed()).isTrue();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }
}

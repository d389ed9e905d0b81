// SPDX-License-Identifier: Apache-2.0
package dev.verbena.ibverbs.event;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.verbena.ibverbs.library.SystemCalls;
import dev.verbena.ibverbs.struct.Pollfd;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventLoopTest {
    private static final int DESCRIPTOR = 7;
    private static final long SECOND = Pollfd.LAYOUT.byteSize();
    private static final long REVENTS = 6;

    private final SystemCalls system = mock(SystemCalls.class);

    /** The kernel hands out the lowest free descriptor, so that the next channel of a source may get that of the last one. */
    @Test
    void aSourceIsWatchedThatIsAddedAgainWithTheDescriptorWhichWasClosedDuringThePoll() throws Exception {
        BlockingQueue<Integer> polled = new LinkedBlockingQueue<>();
        BlockingQueue<EventLoop> started = new LinkedBlockingQueue<>();
        EventLoop.Source source = () -> {};
        when(system.poll(any(), any(), anyLong(), anyInt())).thenAnswer(call -> {
            MemorySegment descriptors = call.getArgument(1);
            long count = call.getArgument(2);
            if (count < 2) {
                polled.add(Pollfd.IGNORED);
                return 0;
            }
            int descriptor = descriptors.get(JAVA_INT, SECOND);
            if (!started.isEmpty()) {
                EventLoop loop = started.remove();
                loop.remove(source);
                loop.add(descriptor, source);
                descriptors.set(JAVA_SHORT, SECOND + REVENTS, (short) Pollfd.ENDED);
                return 1;
            }
            polled.add(descriptor);
            return 0;
        });
        EventLoop loop = EventLoop.started("test", new Descriptors(system));
        started.add(loop);

        loop.add(DESCRIPTOR, source);

        while (!started.isEmpty()) {
            Thread.onSpinWait();
        }
        polled.clear();
        assertThat(polled.poll(10, TimeUnit.SECONDS)).isEqualTo(DESCRIPTOR);
        loop.close();
    }
}

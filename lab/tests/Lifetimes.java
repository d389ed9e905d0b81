// SPDX-License-Identifier: Apache-2.0
import dev.verbena.cm.CmEvent;
import dev.verbena.cm.CmEventType;
import dev.verbena.cm.ConnectionId;
import dev.verbena.cm.ConnectionManager;
import dev.verbena.cm.EventChannel;
import dev.verbena.cm.PortSpace;
import dev.verbena.verbs.VerbsProvider;
import dev.verbena.verbs.VerbsProviders;
import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.CqInitAttributes;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidSelector;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpCapabilities;
import dev.verbena.verbs.QpConnector;
import dev.verbena.verbs.QpInitAttributes;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendRequests;
import dev.verbena.verbs.VerbsArena;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import dev.verbena.verbs.WorkCompletions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Tests the lifetimes of a device of this machine and of its memory.
 *
 * <pre>
 *   java Lifetimes DEVICE children   Starts child processes while the device writes.
 *   java Lifetimes DEVICE locked     Registers memory up to the limit of locked memory.
 *   java Lifetimes DEVICE removed    Sends until the device is removed, then closes it.
 * </pre>
 */
final class Lifetimes {
    private static final int BYTES = 16 * 4096;
    private static final int CHILDREN = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final VerbsProvider provider;
    private final Device device;

    private Lifetimes(VerbsProvider provider, Device device) {
        this.provider = provider;
        this.device = device;
    }

    public static void main(String[] arguments) throws Exception {
        VerbsProvider provider = VerbsProviders.named("ibverbs");
        try (Device device = provider.open(arguments[0])) {
            Lifetimes lifetimes = new Lifetimes(provider, device);
            switch (arguments[1]) {
                case "children" -> lifetimes.children();
                case "locked" -> lifetimes.locked();
                case "removed" -> lifetimes.removed();
                default -> throw new IllegalArgumentException(arguments[1]);
            }
        }
        System.out.println("closed");
    }

    private static void must(boolean so, String what) {
        if (!so) {
            throw new IllegalStateException("not so: " + what);
        }
    }

    /** A queue pair that writes from one half of its memory to the other, through itself. */
    private final class Loop implements AutoCloseable {
        private final VerbsArena arena = device.newArena();
        private final MemorySegment memory = arena.allocatePages(2L * BYTES);
        private final ProtectionDomain domain = device.allocatePd();
        private final MemoryRegion region =
                domain.registerMemory(memory, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
        private final CompletionQueue queue =
                device.createCq(CqInitAttributes.builder().capacity(4).build());
        private final QueuePair pair = domain.createQp(QpInitAttributes.builder()
                .type(QpType.RC)
                .sendCq(queue)
                .receiveCq(queue)
                .capabilities(QpCapabilities.of(1, 1))
                .build());
        private final SendRequests requests = pair.newSendRequests(1);
        private final WorkCompletions completions = queue.newCompletions(1);
        private int written;

        Loop() throws VerbsException {
            QpConnector connector = QpConnector.builder(pair)
                    .access(AccessFlag.REMOTE_WRITE)
                    .build();
            connector.initialize();
            connector.connect(connector.local());
        }

        /** Writes once, and checks that all bytes arrived. */
        void write() throws InterruptedException {
            written++;
            memory.asSlice(0, BYTES).fill((byte) written);
            requests.get(0)
                    .rdmaWrite(region.address() + BYTES, region.rkey())
                    .signaled()
                    .sge(region, 0, BYTES);
            must(pair.postSend(requests, 1) == 1, "a write is taken: " + requests);
            must(device.runtime().await(() -> queue.poll(completions) == 1, PATIENCE), "a write completes");
            must(completions.get(0).status() == WorkCompletionStatus.SUCCESS, completions.get(0) + " is good");
            for (long at = BYTES; at < 2L * BYTES; at++) {
                must(memory.get(ValueLayout.JAVA_BYTE, at) == (byte) written, "write " + written + " is at " + at);
            }
        }

        @Override
        public void close() throws VerbsException {
            pair.close();
            queue.close();
            region.close();
            domain.close();
            arena.close();
        }
    }

    /** A child shares the pages of this process until it executes its program; registered pages must stay in this process. */
    private void children() throws Exception {
        try (Loop loop = new Loop()) {
            for (int i = 0; i < CHILDREN; i++) {
                Process child = new ProcessBuilder("sleep", "0.5").start();
                int before = loop.written;
                while (child.isAlive() || loop.written == before) {
                    loop.write();
                }
                must(child.waitFor() == 0, "the child ended well");
                System.out.println("child " + i + " lived while " + (loop.written - before) + " writes were made");
            }
        }
    }

    private void locked() throws Exception {
        try (VerbsArena arena = device.newArena();
                ProtectionDomain domain = device.allocatePd()) {
            MemorySegment memory = arena.allocatePages(64L << 20);
            try (MemoryRegion all = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE)) {
                must(false, all + " is more than may be locked");
            } catch (VerbsException refused) {
                must(refused.errno() == Errno.ENOMEM, "the errno is ENOMEM: " + refused);
                System.out.println(refused.getMessage());
            }
            // The refused registration used up nothing: a size within the limit can still be registered.
            domain.registerMemory(memory.asSlice(0, 4096), AccessFlag.LOCAL_WRITE)
                    .close();
        }
    }

    /** The removal of the device is reported as an event of each connection id that is bound to the device. */
    private void removed() throws Exception {
        ConnectionManager connections =
                provider.extension(ConnectionManager.class).orElseThrow();
        GidEntry source = GidSelector.automatic().select(device, 1);
        try (Loop loop = new Loop();
                EventChannel channel = connections.createEventChannel();
                ConnectionId id = connections.createId(channel, PortSpace.TCP, null)) {
            id.bind(new InetSocketAddress(source.gid().toAddress(), 0));
            id.listen(1);
            loop.write();
            System.out.println("ready");
            Optional<CmEventType> told = Optional.empty();
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (told.isEmpty() && System.nanoTime() - end < 0) {
                loop.write();
                Optional<CmEvent> event = channel.poll();
                told = event.map(CmEvent::type);
                event.ifPresent(CmEvent::close);
            }
            must(told.equals(Optional.of(CmEventType.DEVICE_REMOVAL)), "the id is told that its device goes: " + told);
            System.out.println("told: " + told.get());
            loop.write();
            refusal("after that");
        }
    }

    /** A device that is going makes nothing new, or makes it still; either is said, and neither ends the process. */
    private void refusal(String when) {
        try {
            device.allocatePd().close();
            System.out.println(when + " a domain could still be made");
        } catch (VerbsException refused) {
            System.out.println(when + ": " + refused.getMessage());
        }
    }
}

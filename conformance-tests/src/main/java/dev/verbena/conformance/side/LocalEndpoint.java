// SPDX-License-Identifier: Apache-2.0
package dev.verbena.conformance.side;

import dev.verbena.cm.ConnectionManager;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MemoryWindowBinding;
import dev.verbena.verbs.PortAttributes;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.VerbsBusyException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletions;
import dev.verbena.verbs.kernel.FastRegistrationRegion;
import dev.verbena.verbs.kernel.FmrRegion;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** Executes {@link Step}s on a local device. Only this class of the conformance kit waits for events and completions. */
final class LocalEndpoint implements Endpoint {
    /** The page size in bytes of fast-registration memory regions (FRWR, FMR). Every device supports pages of this size. */
    private static final long LISTED_PAGE = 4096;

    private static final int POLL_BATCH = 16;
    private static final int FIRST_GROUP_LID = 0xC000;

    private final Device device;
    private final PortChoice choice;
    private final LocalObjects objects;
    private final LocalPosts posts;
    private final LocalConnections connections;

    /**
     * The multicast groups to which queue pairs are attached, with the LID of each group. A queue pair must be detached
     * from all multicast groups before the queue pair can be closed. The LIDs are stored for the detach, because the port
     * of a removed device can no longer be queried.
     */
    private final Map<Step.Multicast, Integer> attached = new ConcurrentHashMap<>();

    LocalEndpoint(Device device, PortChoice choice, Optional<ConnectionManager> manager) {
        this.device = device;
        this.choice = choice;
        objects = new LocalObjects(device);
        posts = new LocalPosts(objects);
        connections = new LocalConnections(manager, device, objects);
    }

    @Override
    public Reply perform(Step step) {
        try {
            return execute(step);
        } catch (VerbsException refused) {
            return new Reply.Refusal(
                    refused.getClass().getSimpleName(),
                    Optional.of(refused.errno()),
                    String.valueOf(refused.getMessage()));
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted during " + step, interruption);
        } catch (RuntimeException refused) {
            Optional<Errno> errno = refused instanceof VerbsBusyException ? Optional.of(Errno.EBUSY) : Optional.empty();
            return new Reply.Refusal(refused.getClass().getSimpleName(), errno, String.valueOf(refused.getMessage()));
        }
    }

    private Reply execute(Step step) throws VerbsException, InterruptedException {
        return switch (step) {
            case Step.AskFacts ask -> new Reply.Described(facts());
            case Step.OpenPd open -> objects.openPd(open);
            case Step.OpenCq open -> objects.openCq(open);
            case Step.Allocate allocate -> objects.allocate(allocate);
            case Step.Register register -> objects.register(register);
            case Step.RegisterImplicit register -> objects.registerImplicit(register);
            case Step.Advise advise -> advise(advise);
            case Step.Reregister reregister -> objects.reregister(reregister);
            case Step.OpenQp open -> objects.openQp(open);
            case Step.OpenSrq open -> objects.openSrq(open);
            case Step.OpenAh open -> objects.openAh(open);
            case Step.OpenWindow open -> objects.openWindow(open);
            case Step.OpenFastRegion open -> objects.openFastRegion(open);
            case Step.OpenFmr open -> objects.openFmr(open);
            case Step.MapFmr map -> map(map);
            case Step.UnmapFmrs unmap -> unmap(unmap);
            case Step.Close close -> objects.close(close.handle());
            case Step.MapFastRegion map -> map(map);
            case Step.Modify modify -> modify(modify);
            case Step.Query query -> new Reply.Attributes(qp(query.qp()).query());
            case Step.AskState ask -> new Reply.State(qp(ask.qp()).state());
            case Step.AskRkey ask -> new Reply.Count(rkey(ask.handle()));
            case Step.PostSend post -> posts.send(qp(post.qp()), post.requests());
            case Step.PostReceive post -> posts.receive(objects.get(post.queue(), Object.class), post.requests());
            case Step.Bind bind -> bind(bind);
            case Step.Multicast multicast -> multicast(multicast);
            case Step.Poll poll -> new Reply.Completions(poll(poll.cq(), poll.most()));
            case Step.Await await -> await(await);
            case Step.Arm arm -> arm(arm);
            case Step.AwaitCompletionEvents await -> completionEvents(await);
            case Step.ResizeCq resize -> resize(resize);
            case Step.ArmSrq arm -> armSrq(arm);
            case Step.ResizeSrq resize -> resizeSrq(resize);
            case Step.QuerySrq query -> new Reply.SrqFacts(srq(query.srq()).query());
            case Step.Write write -> objects.memory(write.memory()).write(write.offset(), write.bytes());
            case Step.Discard discard -> discard(discard);
            case Step.Read read -> objects.memory(read.memory()).read(read.offset(), read.length());
            case Step.AwaitEvents await -> events(await);
            case Step.Pass pass -> pass(pass);
            case Step.Manage manage -> connections.execute(manage.what());
            case Step.CloseAll all -> closeAll();
            case Step.Concurrently concurrently -> Crew.run(this::perform, concurrently);
        };
    }

    private QueuePair qp(int handle) {
        return objects.get(handle, QueuePair.class);
    }

    private SharedReceiveQueue srq(int handle) {
        return objects.get(handle, SharedReceiveQueue.class);
    }

    private Facts facts() throws VerbsException {
        GidEntry source = choice.gid().select(device, choice.port());
        PortAttributes port = device.queryPort(choice.port());
        Optional<String> ip = choice.address()
                .or(() -> isRoce(port, source) ? Optional.of(source.gid().toAddress()) : Optional.empty())
                .map(InetAddress::getHostAddress);
        return new Facts(
                device.name(),
                device.attributes(),
                device.capabilities(),
                new Facts.Addresses(port, source, device.gidTable(choice.port()), ip),
                device.runtime().isVirtual(),
                connections.capabilities());
    }

    /** Only a GID of RoCE v2 contains the IP address of its port. */
    private static boolean isRoce(PortAttributes port, GidEntry gid) {
        return port.linkLayer() == LinkLayer.ETHERNET && gid.type() == GidType.ROCE_V2;
    }

    private Reply modify(Step.Modify step) throws VerbsException {
        qp(step.qp()).modify(step.attributes());
        return new Reply.Done();
    }

    private int rkey(int handle) {
        Object object = objects.get(handle, Object.class);
        return object instanceof MemoryWindow window
                ? window.rkey()
                : objects.get(handle, MemoryRegion.class).rkey();
    }

    private Reply map(Step.MapFastRegion step) throws VerbsException {
        FastRegistrationRegion region = objects.get(step.region(), FastRegistrationRegion.class);
        region.map(List.of(objects.memory(step.memory()).part(step.offset(), step.length())), LISTED_PAGE);
        return objects.factsOf(region);
    }

    private Reply map(Step.MapFmr step) throws VerbsException {
        FmrRegion region = objects.get(step.region(), FmrRegion.class);
        List<MemorySegment> pages = new ArrayList<>();
        for (long page = 0; page < step.length(); page += LISTED_PAGE) {
            pages.add(objects.memory(step.memory()).part(step.offset() + page, LISTED_PAGE));
        }
        region.map(pages, step.iova());
        return objects.factsOf(region);
    }

    private Reply unmap(Step.UnmapFmrs step) throws VerbsException {
        objects.fmr()
                .unmap(step.regions().stream()
                        .map(region -> objects.get(region, FmrRegion.class))
                        .toList());
        return new Reply.Done();
    }

    private Reply advise(Step.Advise step) throws VerbsException {
        objects.get(step.pd(), ProtectionDomain.class).adviseMr(step.advice(), step.flush(), List.of(step.range()));
        return new Reply.Done();
    }

    private Reply discard(Step.Discard step) {
        MemorySegment part = objects.memory(step.memory()).part(step.offset(), step.length());
        part.fill((byte) 0);
        PageRemoval.remove(part, device.attributes().systemPageSize());
        return new Reply.Done();
    }

    private Reply bind(Step.Bind step) throws VerbsException {
        MemoryWindowBinding binding = posts.binding(step.binding());
        qp(step.qp()).bindMemoryWindow(objects.get(step.binding().object(), MemoryWindow.class), binding, step.id());
        return new Reply.Done();
    }

    /** For InfiniBand, returns the multicast LID that is needed to attach a queue pair. Otherwise, returns 0. */
    private int groupLid() throws VerbsException {
        return device.queryPort(choice.port()).linkLayer() == LinkLayer.INFINIBAND ? FIRST_GROUP_LID : 0;
    }

    private Reply multicast(Step.Multicast step) throws VerbsException {
        if (step.attach()) {
            int lid = groupLid();
            qp(step.qp()).attachMulticast(step.group(), lid);
            attached.put(step, lid);
        } else {
            Step.Multicast attachment = new Step.Multicast(step.qp(), step.group(), true);
            qp(step.qp()).detachMulticast(step.group(), attached.getOrDefault(attachment, 0));
            attached.remove(attachment);
        }
        return new Reply.Done();
    }

    private List<Completion> poll(int handle, int most) {
        CompletionQueue queue = objects.cq(handle).queue();
        WorkCompletions batch = queue.newCompletions(Math.max(1, Math.min(most, POLL_BATCH)));
        List<Completion> found = new ArrayList<>();
        int count = 1;
        while (count > 0 && found.size() < most) {
            if (most - found.size() < batch.capacity()) {
                batch = queue.newCompletions(most - found.size());
            }
            count = queue.poll(batch);
            for (int i = 0; i < count; i++) {
                found.add(Completion.of(batch.get(i)));
            }
        }
        return found;
    }

    private Reply await(Step.Await step) throws InterruptedException {
        List<Completion> found = new ArrayList<>();
        await(
                () -> {
                    if (found.size() < step.count()) {
                        found.addAll(poll(step.cq(), step.count() - found.size()));
                    }
                    return found.size() >= step.count();
                },
                step.patience());
        return new Reply.Completions(found);
    }

    private Reply arm(Step.Arm step) {
        objects.cq(step.cq()).queue().requestNotification(step.kind());
        return new Reply.Done();
    }

    private Reply completionEvents(Step.AwaitCompletionEvents step) throws InterruptedException {
        LocalObjects.Queue queue = objects.cq(step.cq());
        await(() -> queue.completionEvents() >= step.count(), step.patience());
        return new Reply.Count(queue.completionEvents());
    }

    private Reply resize(Step.ResizeCq step) throws VerbsException {
        CompletionQueue queue = objects.cq(step.cq()).queue();
        queue.resize(step.capacity());
        return new Reply.Count(queue.capacity());
    }

    private Reply armSrq(Step.ArmSrq step) throws VerbsException {
        srq(step.srq()).armLimit(step.limit());
        return new Reply.Done();
    }

    private Reply resizeSrq(Step.ResizeSrq step) throws VerbsException {
        srq(step.srq()).resize(step.maxWr());
        return new Reply.Done();
    }

    private Reply events(Step.AwaitEvents step) throws InterruptedException {
        List<Event> found = new ArrayList<>();
        await(
                () -> {
                    Optional<AsyncEvent> event = event();
                    while (event.isPresent()) {
                        found.add(objects.named(event.get()));
                        event = found.size() < step.count() ? event() : Optional.empty();
                    }
                    return found.size() >= step.count();
                },
                step.patience());
        return new Reply.Events(found);
    }

    /**
     * Returns the next asynchronous event of the device, if any. If a rule uses the device object of a connection id,
     * {@code event} also polls the asynchronous events of this device object.
     */
    private Optional<AsyncEvent> event() {
        return objects.device()
                .asyncEvents()
                .poll()
                .or(() -> device.asyncEvents().poll());
    }

    private Reply pass(Step.Pass step) throws InterruptedException {
        long end = device.runtime().nanoTime() + step.patience().toNanos();
        await(() -> device.runtime().nanoTime() - end >= 0, step.patience());
        return new Reply.Done();
    }

    private Reply closeAll() {
        close();
        return new Reply.Done();
    }

    private void await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        device.runtime().await(condition, timeout);
    }

    @Override
    public void close() {
        for (Step.Multicast step : List.copyOf(attached.keySet())) {
            try {
                multicast(new Step.Multicast(step.qp(), step.group(), false));
            } catch (VerbsException | RuntimeException refused) {
                // If the queue pair is still attached, `objects.closeAll` reports that the queue pair cannot be closed.
                // The next call of `close` tries again to detach the queue pair.
            }
        }
        connections.leaveGroups();
        objects.closeAll();
    }
}

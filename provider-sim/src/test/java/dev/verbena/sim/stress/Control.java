// SPDX-License-Identifier: Apache-2.0
package dev.verbena.sim.stress;

import dev.verbena.verbs.AccessFlag;
import dev.verbena.verbs.AddressVector;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.GlobalRoute;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.PathMigrationState;
import dev.verbena.verbs.QpAttributes;
import dev.verbena.verbs.QpAttributesBuilder;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RnrRetryCount;
import dev.verbena.verbs.RnrTimer;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletionStatus;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Calls control verbs for either side of a connection, one after the other, while there is traffic. */
final class Control {
    private static final int MOST_PAUSE = 2_000;

    private final Life life;
    private final SplittableRandom random;
    private final boolean reliable;
    /** Most lives use few kinds of verb, so that each kind often coincides with traffic. */
    private final List<ControlVerb> verbs;

    Control(Life life, SplittableRandom random) {
        this.life = life;
        this.random = random;
        reliable = life.type == QpType.RC;
        List<ControlVerb> possible = Arrays.stream(ControlVerb.values())
                .filter(verb -> !verb.ends() && (verb != ControlVerb.LINK_DOWN_AND_UP || life.cutsLinks))
                .toList();
        ControlVerb any = possible.get(random.nextInt(possible.size()));
        ControlVerb other =
                random.nextBoolean() ? ControlVerb.MODIFY_RTS : possible.get(random.nextInt(possible.size()));
        verbs = random.nextInt(3) == 0 ? possible : List.of(any, other);
    }

    /** Binds the windows that the traffic needs. */
    void prepare() throws InterruptedException {
        if (reliable && random.nextInt(3) == 0) {
            for (Side side : life.sides) {
                expect(side, side.postBind(side.targetWindow));
                side.useWindow();
            }
        }
    }

    void run(BooleanSupplier traffic) throws Exception {
        int verbsBeforeEnd = random.nextInt(60);
        for (int i = 0; traffic.getAsBoolean() && !life.isOver(); i++) {
            pause();
            Side side = life.sides[random.nextInt(2)];
            ControlVerb verb = verbs.get(random.nextInt(verbs.size()));
            boolean last = life.ends && i == verbsBeforeEnd;
            if (last) {
                List<ControlVerb> ending = Arrays.stream(ControlVerb.values())
                        .filter(ControlVerb::ends)
                        .toList();
                verb = ending.get(random.nextInt(ending.size()));
                life.mayFail();
            }
            try {
                if (call(verb, side)) {
                    life.counts.count(verb);
                }
            } catch (VerbsException refused) {
                // A queue pair that has failed permits no other verb.
                if (!life.allowsErrors() && !life.isOver()) {
                    throw refused;
                }
            }
            if (last && (verb == ControlVerb.CLOSE || verb == ControlVerb.REREGISTER_ELSEWHERE)) {
                life.end();
                return;
            }
        }
    }

    private void pause() {
        for (int i = random.nextInt(MOST_PAUSE); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    /** Calls a verb; false if it was refused for a reason that the program must expect. */
    private boolean call(ControlVerb verb, Side side) throws VerbsException, InterruptedException {
        switch (verb) {
            case MODIFY_RTS -> side.qp.modify(inRts().state(QpState.RTS).build());
            case MODIFY_SQD -> drain(side);
            case REREGISTER -> {
                return reregister(
                        side.regions().get(random.nextInt(side.regions().size())));
            }
            case REGISTER_AND_DEREGISTER -> {
                Side.Registered like =
                        side.regions().get(random.nextInt(side.regions().size()));
                side.domain
                        .registerMemory(like.memory().memory(), like.access())
                        .close();
            }
            case RESIZE_CQ ->
                (random.nextBoolean() ? side.sendCq : side.receiveCq).resize(Side.LEAST_CQ + random.nextInt(500));
            case MODIFY_SRQ -> {
                return modifySrq(side);
            }
            case BIND_WINDOW -> expect(side, side.bindFirstType());
            case BIND_AND_INVALIDATE -> {
                if (!reliable) {
                    return false;
                }
                expect(side, side.postBind(side.spareWindow));
                expect(side, side.postInvalidate(side.spareWindow));
            }
            case QUERY -> {
                side.qp.query();
                side.qp.explain();
            }
            case LINK_DOWN_AND_UP -> {
                life.place.link(side.host, false);
                pause();
                life.place.link(side.host, true);
            }
            case DEREGISTER -> {
                Side.Registered region = anyWritten(side);
                region.region().close();
                life.freeze(region.memory(), "deregistration");
            }
            case REREGISTER_ELSEWHERE -> {
                Side.Registered region = anyWritten(side);
                life.move(region.memory());
                MemorySegment other = side.newMemory(region.memory().memory().byteSize());
                region.region().reregister(null, other, null);
                life.freeze(region.memory(), "reregistration of other memory");
            }
            case INVALIDATE_TARGET -> {
                return invalidate(side);
            }
            case CLOSE_TARGET_WINDOW -> {
                MemoryWindow window = side.targetWindow;
                window.close();
                freezeTarget(side, "deallocation of its window");
            }
            case REVOKE_ACCESS ->
                side.qp.modify(QpAttributes.builder()
                        .state(QpState.RTS)
                        .access(Set.of())
                        .build());
            case CLOSE -> {
                side.qp.close();
                life.freeze(side.target.memory(), "the end of the queue pair");
                life.freeze(side.receiving.memory(), "the end of the queue pair");
                life.freeze(side.landing.memory(), "the end of the queue pair");
            }
            case MODIFY_ERR -> side.qp.modify(QpAttributes.error());
        }
        return true;
    }

    private Side.Registered anyWritten(Side side) {
        List<Side.Registered> written = List.of(side.target, side.landing, side.receiving, side.words);
        return written.get(random.nextInt(written.size()));
    }

    private void freezeTarget(Side side, String why) {
        if (side.isByWindow()) {
            life.freeze(side.target.memory(), why);
        }
    }

    private boolean invalidate(Side side) throws InterruptedException {
        if (!side.isByWindow()) {
            return false;
        }
        long id = side.postInvalidate(side.targetWindow);
        Side.Done done = id == 0 ? null : life.await(side, id);
        boolean success = done != null && done.status() == WorkCompletionStatus.SUCCESS;
        if (success) {
            freezeTarget(side, "invalidation of its window");
        }
        return success;
    }

    private boolean reregister(Side.Registered registered) throws VerbsException {
        MemoryRegion region = registered.region();
        EnumSet<AccessFlag> access = EnumSet.copyOf(registered.access());
        if (random.nextBoolean() && access.contains(AccessFlag.LOCAL_WRITE)) {
            access.add(AccessFlag.REMOTE_READ);
        }
        try {
            switch (random.nextInt(3)) {
                case 0 -> region.reregister(null, null, access);
                case 1 -> region.reregister(null, registered.memory().memory(), null);
                default -> region.reregister(null, registered.memory().memory(), access);
            }
            return true;
        } catch (VerbsException refused) {
            if (refused.errno() == Errno.EBUSY) {
                // A window is bound to the region.
                return false;
            }
            throw refused;
        }
    }

    private boolean modifySrq(Side side) throws VerbsException {
        var srq = side.srq;
        if (srq == null) {
            return false;
        }
        try {
            if (random.nextBoolean()) {
                srq.armLimit(random.nextInt(Side.SLOTS));
            } else {
                srq.resize(Side.QUEUE + random.nextInt(200));
            }
            return true;
        } catch (VerbsException refused) {
            if (refused.errno() == Errno.EINVAL) {
                return false;
            }
            throw refused;
        }
    }

    private void expect(Side side, long id) throws InterruptedException {
        Side.Done done = id == 0 ? null : life.await(side, id);
        boolean success = done != null && done.status() == WorkCompletionStatus.SUCCESS;
        if (!success && !life.isOver() && !life.allowsErrors()) {
            throw new AssertionError("a bind or an invalidation ended so: " + done);
        }
    }

    private QpAttributesBuilder inRts() {
        QpAttributesBuilder builder = QpAttributes.builder();
        if (random.nextBoolean()) {
            builder.access(access());
        }
        if (random.nextInt(4) == 0) {
            builder.pathMigrationState(PathMigrationState.MIGRATED);
        }
        if (reliable && random.nextBoolean()) {
            builder.minRnrTimer(RnrTimer.ofCode(1 + random.nextInt(6)));
        }
        if (random.nextInt(4) == 0) {
            builder.currentState(QpState.RTS);
        }
        return builder;
    }

    private Set<AccessFlag> access() {
        Set<AccessFlag> access = EnumSet.copyOf(Side.NEEDED);
        if (random.nextBoolean()) {
            access.add(AccessFlag.LOCAL_WRITE);
        }
        return access;
    }

    /** Moves to SQD, makes changes there, and moves back. */
    private void drain(Side side) throws VerbsException, InterruptedException {
        side.qp.modify(QpAttributes.builder()
                .state(QpState.SQD)
                .enableSqdAsyncNotify(random.nextBoolean())
                .build());
        life.await("the drain", () -> {
            side.collect();
            return !isDraining(side);
        });
        if (life.isOver()) {
            return;
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            side.qp.modify(inSqd(side).state(QpState.SQD).build());
        }
        pause();
        side.qp.modify(QpAttributes.builder().state(QpState.RTS).build());
    }

    private static boolean isDraining(Side side) {
        try {
            return side.qp.query().sqDraining();
        } catch (VerbsException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private QpAttributesBuilder inSqd(Side side) {
        QpAttributesBuilder builder = QpAttributes.builder();
        if (random.nextBoolean()) {
            GlobalRoute route = new GlobalRoute(
                    life.place.address(life.sides[1 - side.number].host),
                    random.nextInt(1 << 20),
                    1,
                    32 + random.nextInt(64),
                    random.nextInt(64) << 2);
            builder.addressVector(AddressVector.builder().port(1).route(route).build());
        }
        if (random.nextBoolean()) {
            builder.access(access());
        }
        if (reliable && random.nextBoolean()) {
            builder.ackTimeout(life.ackTimeout).retryCount(7).rnrRetryCount(RnrRetryCount.FOREVER);
        }
        if (reliable && random.nextBoolean()) {
            builder.maxRdAtomic(1 + random.nextInt(Side.READ_DEPTH));
        }
        if (reliable && random.nextBoolean()) {
            builder.maxDestRdAtomic(Side.READ_DEPTH + random.nextInt(12))
                    .minRnrTimer(RnrTimer.ofCode(1 + random.nextInt(6)));
        }
        return builder.pkeyIndex(0);
    }
}

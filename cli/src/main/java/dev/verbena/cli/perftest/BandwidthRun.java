// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.perftest;

import dev.verbena.cli.tools.ToolException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsRuntime;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/**
 * Measures bandwidth while as many messages are outstanding as the send depth allows. A process that receives SENDs
 * continues to post receive requests until its peer has sent all messages.
 */
final class BandwidthRun {
    private final PerftestSettings settings;
    private final PerftestEnd end;
    private final Progress progress;
    private final VerbsRuntime runtime;
    private final Watch watch;
    private final long[] posted;
    private final long[] completedBefore;
    private final long[] receivedBefore;
    private final long[] reposted;
    private boolean timeIsOver;

    BandwidthRun(PerftestSettings settings, PerftestEnd end, PeerLink link, VerbsRuntime runtime) {
        this.settings = settings;
        this.end = end;
        progress = new Progress(link);
        this.runtime = runtime;
        watch = new Watch(runtime, link, settings);
        posted = new long[settings.queuePairs()];
        completedBefore = new long[settings.queuePairs()];
        receivedBefore = new long[settings.queuePairs()];
        reposted = new long[settings.queuePairs()];
    }

    /**
     * Runs the bandwidth test for one message size. If {@code sends} is false, the process only receives, and the
     * bandwidth result has 0 messages.
     */
    BandwidthResult run(int size, boolean sends)
            throws ToolException, VerbsException, IOException, InterruptedException {
        begin();
        BandwidthResult result = sends ? send(size) : new BandwidthResult(size, 0, 0, 0);
        progress.done();
        while (!progress.isOtherDone()) {
            if (!watch.untilOrNews(this::receivedSome)) {
                progress.hear();
            }
        }
        repost();
        return result;
    }

    private void begin() {
        Arrays.fill(posted, 0);
        Arrays.fill(reposted, 0);
        timeIsOver = false;
        progress.begin(runtime.nanoTime());
        for (int i = 0; i < posted.length; i++) {
            completedBefore[i] = end.sendsDone(i);
            receivedBefore[i] = end.receivesDone(i);
        }
    }

    private BandwidthResult send(int size) throws ToolException, VerbsException, IOException, InterruptedException {
        long each = settings.messages();
        long total = each * settings.queuePairs();
        long start = runtime.nanoTime();
        long deadline = start + settings.duration().map(Duration::toNanos).orElse(0L);
        long quickest = Long.MAX_VALUE;
        long part = start;
        int parts = 0;
        long seen = 0;
        while (!isDone(each)) {
            long turn = runtime.nanoTime();
            timeIsOver = settings.duration().isPresent() && turn - deadline >= 0;
            if (progress.isDue(turn)) {
                progress.goOn(turn);
            }
            postAll(each);
            long before = seen;
            watch.until(() -> polled() && (completed() > before || isDone(each)));
            seen = completed();
            if (seen * BandwidthResult.PARTS >= total * (parts + 1L)) {
                long now = runtime.nanoTime();
                int passed = (int) (seen * BandwidthResult.PARTS / total) - parts;
                quickest = Math.min(quickest, (now - part) / passed);
                part = now;
                parts += passed;
            }
        }
        boolean measuresParts = settings.duration().isEmpty();
        return new BandwidthResult(size, seen, runtime.nanoTime() - start, measuresParts ? quickest : 0);
    }

    /** Polls the CQs, and immediately posts consumed receive requests again, because the peer's SENDs need them. */
    private boolean polled() throws ToolException, VerbsException, InterruptedException {
        receivedSome();
        return true;
    }

    private void postAll(long each) throws ToolException {
        for (int i = 0; i < posted.length; i++) {
            while (mayPost(i, each)) {
                posted[i] += settings.postList();
                end.post(i, settings.isSignaled(posted[i]));
            }
        }
    }

    private boolean mayPost(int queuePair, long each) {
        boolean more = settings.duration().isPresent()
                ? !timeIsOver || posted[queuePair] % settings.step() != 0
                : posted[queuePair] < each;
        return more && posted[queuePair] - completed(queuePair) + settings.postList() <= settings.sendDepth();
    }

    private boolean isDone(long each) {
        for (int i = 0; i < posted.length; i++) {
            boolean all = settings.duration().isPresent()
                    ? timeIsOver && posted[i] % settings.step() == 0
                    : posted[i] >= each;
            if (!all || completed(i) < posted[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the number of completed requests. The completion of a signaled request shows that all earlier requests are
     * also complete. The method counts all requests up to the last signaled request that has completed. The completion of a
     * test's last signaled request may cover fewer requests than {@code settings.step()}.
     */
    private long completed(int queuePair) {
        return Math.min((end.sendsDone(queuePair) - completedBefore[queuePair]) * settings.step(), posted[queuePair]);
    }

    private long completed() {
        long all = 0;
        for (int i = 0; i < posted.length; i++) {
            all += completed(i);
        }
        return all;
    }

    private boolean receivedSome() throws ToolException, VerbsException, InterruptedException {
        end.pollOrSleep();
        return repost();
    }

    /** Posts the consumed receive requests again. Returns whether at least one receive request was posted. */
    private boolean repost() throws ToolException {
        boolean some = false;
        for (int i = 0; i < posted.length; i++) {
            int taken = (int) (end.receivesDone(i) - receivedBefore[i] - reposted[i]);
            if (taken > 0) {
                end.repost(i, taken);
                reposted[i] += taken;
                some = true;
            }
        }
        return some;
    }
}

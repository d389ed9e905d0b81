package dev.verbena.sim.fault;

import dev.verbena.fault.LinkRule;
import dev.verbena.fault.Verdict;
import dev.verbena.sim.fabric.SimPacket;
import java.util.List;
import java.util.random.RandomGenerator;

/** What judges the packets of one link, one at a time. */
final class FaultyLink {
    private final RandomGenerator random;
    private final LinkView view = new LinkView();

    FaultyLink(RandomGenerator random) {
        this.random = random;
    }

    /** Returns the first verdict that is not to pass. */
    synchronized Verdict judge(SimPacket packet, List<LinkRule> rules) {
        view.show(packet);
        try {
            for (int i = 0; i < rules.size(); i++) {
                Verdict verdict = rules.get(i).judge(view, random);
                if (!(verdict instanceof Verdict.Pass)) {
                    return verdict;
                }
            }
            return Verdict.PASS;
        } finally {
            view.hide();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The fault rules of a link, in the order in which the link applies them. A link with an empty fault plan neither drops nor
 * changes packets. Immutable.
 *
 * <p>A fault plan contains no random generator: the fabric creates one for each link from the seed of the provider's
 * scheduler.
 *
 * @since 1.0
 */
public final class FaultPlan {
    private static final FaultPlan NONE = builder().build();

    private final List<LinkRule> rules;

    private FaultPlan(List<LinkRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /** {@return the fault plan without fault rules, for a link without injected faults} */
    public static FaultPlan none() {
        return NONE;
    }

    /** {@return a new builder of a fault plan; the builder has no fault rules yet} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return an unmodifiable list of the fault rules, in the order in which they are applied to each packet} */
    public List<LinkRule> rules() {
        return rules;
    }

    /**
     * A builder of a fault plan for a link. Not thread-safe.
     *
     * @since 1.0
     */
    public static final class Builder {
        private final List<LinkRule> rules = new ArrayList<>();

        private Builder() {}

        /**
         * Adds a fault rule at the end of this fault plan.
         *
         * @param rule the fault rule
         * @return this
         */
        public Builder rule(LinkRule rule) {
            rules.add(rule);
            return this;
        }

        /**
         * Drops packets at random.
         *
         * @param chance the probability that a packet is dropped
         * @return this
         */
        public Builder drop(Probability chance) {
            return sometimes(chance, Verdict.DROP);
        }

        /**
         * Delivers packets twice at random.
         *
         * @param chance the probability that a packet is delivered twice
         * @return this
         */
        public Builder duplicate(Probability chance) {
            return sometimes(chance, new Verdict.Duplicate(1));
        }

        /**
         * Delays packets at random, so that later packets overtake the delayed ones.
         *
         * @param chance the probability that a packet is delayed
         * @param by the additional delay
         * @return this
         */
        public Builder reorder(Probability chance, Duration by) {
            return sometimes(chance, new Verdict.Delay(by));
        }

        /**
         * Inverts one random bit in randomly selected packets.
         *
         * @param chance the probability that a packet is corrupted
         * @return this
         */
        public Builder corrupt(Probability chance) {
            return chance.value() == 0
                    ? this
                    : rule((packet, random) -> chance.happens(random)
                            ? new Verdict.Corrupt(random.nextLong(Long.MAX_VALUE))
                            : Verdict.PASS);
        }

        /**
         * Truncates randomly selected packets to a random length.
         *
         * @param chance the probability that a packet is truncated
         * @return this
         */
        public Builder truncate(Probability chance) {
            return chance.value() == 0
                    ? this
                    : rule((packet, random) -> chance.happens(random)
                            ? new Verdict.Truncate(
                                    random.nextInt((int) packet.bytes().byteSize()))
                            : Verdict.PASS);
        }

        /** {@return a new immutable fault plan with the fault rules that were added to this builder} */
        public FaultPlan build() {
            return new FaultPlan(rules);
        }

        private Builder sometimes(Probability chance, Verdict verdict) {
            return chance.value() == 0
                    ? this
                    : rule((packet, random) -> chance.happens(random) ? verdict : Verdict.PASS);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.verbena.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of a link, in the order in which the link applies them. Immutable. A link with an empty plan is perfect.
 *
 * <p>A plan has no random numbers of its own: the fabric makes a generator for each link from the run's seed.
 *
 * @since 1.0
 */
public final class FaultPlan {
    private static final FaultPlan NONE = builder().build();

    private final List<LinkRule> rules;

    private FaultPlan(List<LinkRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Returns the plan of a perfect link.
     *
     * @return a plan without rules
     */
    public static FaultPlan none() {
        return NONE;
    }

    /**
     * Starts an empty plan.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the rules.
     *
     * @return an unmodifiable list, in the order in which the link applies them
     */
    public List<LinkRule> rules() {
        return rules;
    }

    /**
     * Collects rules. Not thread-safe.
     *
     * @since 1.0
     */
    public static final class Builder {
        private final List<LinkRule> rules = new ArrayList<>();

        private Builder() {}

        /**
         * Adds a rule after the others.
         *
         * @param rule the rule
         * @return this
         */
        public Builder rule(LinkRule rule) {
            rules.add(rule);
            return this;
        }

        /**
         * Loses packets by chance.
         *
         * @param chance how often
         * @return this
         */
        public Builder drop(Probability chance) {
            return sometimes(chance, Verdict.DROP);
        }

        /**
         * Delivers packets twice by chance.
         *
         * @param chance how often
         * @return this
         */
        public Builder duplicate(Probability chance) {
            return sometimes(chance, new Verdict.Duplicate(1));
        }

        /**
         * Delivers packets late by chance, so that others overtake them.
         *
         * @param chance how often
         * @param by how much later
         * @return this
         */
        public Builder reorder(Probability chance, Duration by) {
            return sometimes(chance, new Verdict.Delay(by));
        }

        /**
         * Inverts one bit by chance, at a random position.
         *
         * @param chance how often
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
         * Truncates packets by chance, to a random length.
         *
         * @param chance how often
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

        /**
         * Makes the plan.
         *
         * @return an immutable plan
         */
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

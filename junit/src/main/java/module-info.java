// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Networks of RDMA devices for JUnit tests. Each test method has the annotation {@link dev.verbena.junit.VerbsTest}. */
@NullMarked
module dev.verbena.junit {
    requires transitive dev.verbena.sim;
    requires transitive org.junit.jupiter.api;

    exports dev.verbena.junit;
}

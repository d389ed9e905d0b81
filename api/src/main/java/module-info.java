// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * The verbs SPI: the API by which a program uses an RDMA device, and the interfaces that a provider implements. The Javadoc
 * of {@link dev.verbena.verbs} lists the verbs objects that a program creates, in the order of creation.
 */
@NullMarked
@SuppressWarnings("module") // Javac cannot find the target modules of the qualified export, and warns about them.
module dev.verbena.api {
    requires static transitive org.jspecify;

    exports dev.verbena.verbs;
    exports dev.verbena.verbs.kernel;
    exports dev.verbena.cm;
    exports dev.verbena.spi;
    exports dev.verbena.spi.callerruns to
            dev.verbena.lnd,
            dev.verbena.sim;
    exports dev.verbena.fault;

    uses dev.verbena.verbs.VerbsProvider;
}

import org.jspecify.annotations.NullMarked;

/** The verbs SPI: what a program sees of an RDMA device, and what a provider implements. */
@NullMarked
module dev.verbena.api {
    requires static transitive org.jspecify;

    exports dev.verbena.verbs;
    exports dev.verbena.cm;
    exports dev.verbena.spi;
    exports dev.verbena.fault;

    uses dev.verbena.spi.VerbsProvider;
}

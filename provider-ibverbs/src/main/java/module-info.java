import org.jspecify.annotations.NullMarked;

/** The operating system's libibverbs and librdmacm as a provider of the verbs SPI. */
@NullMarked
module dev.verbena.ibverbs {
    requires transitive dev.verbena.api;
}

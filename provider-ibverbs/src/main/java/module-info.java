import dev.verbena.ibverbs.IbverbsProvider;
import dev.verbena.spi.VerbsProvider;
import org.jspecify.annotations.NullMarked;

/** The operating system's libibverbs and librdmacm as a provider of the verbs SPI. */
@NullMarked
module dev.verbena.ibverbs {
    requires transitive dev.verbena.api;
    requires static org.jspecify;

    exports dev.verbena.ibverbs;

    provides VerbsProvider with
            IbverbsProvider;
}

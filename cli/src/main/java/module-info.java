import org.jspecify.annotations.NullMarked;

/** The {@code verbena} command: the composition root of every other module. */
@NullMarked
module dev.verbena.cli {
    requires com.google.guice;
    requires dev.verbena.ibverbs;
    requires dev.verbena.lnd;
    requires dev.verbena.sim;
    requires dev.verbena.wire;
    requires info.picocli;
    requires org.slf4j;

    opens dev.verbena.cli to
            com.google.guice,
            info.picocli;
}

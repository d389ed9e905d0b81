// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli;

import dev.verbena.cli.options.DeviceOptions;
import dev.verbena.cli.options.OptionTexts;
import dev.verbena.cli.output.ProgressBar;
import dev.verbena.cli.tools.Replacement;
import dev.verbena.cli.transfer.Control;
import dev.verbena.cli.transfer.Control.Conversation;
import dev.verbena.cli.transfer.Control.Heard;
import dev.verbena.cli.transfer.Control.Word;
import dev.verbena.cli.transfer.DemoException;
import dev.verbena.cli.transfer.DemoOutcome.Leg;
import dev.verbena.cli.transfer.FileData;
import dev.verbena.cli.transfer.GetTransfer;
import dev.verbena.cli.transfer.LegTimer;
import dev.verbena.cli.transfer.Offer;
import dev.verbena.cli.transfer.PutTransfer;
import dev.verbena.cli.transfer.Sections;
import dev.verbena.cli.transfer.Sha256;
import dev.verbena.cli.transfer.Transaction;
import dev.verbena.cli.transfer.Transfer;
import dev.verbena.lnd.LnetNode;
import dev.verbena.lnet.Nid;
import dev.verbena.lnet.ProcessId;
import dev.verbena.lnet.ping.PingResponder;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** verbena lnet put and verbena lnet get: transfer a file to or from a running LNet node. */
abstract class LnetFileCommand extends LnetTool {
    private static final long MESSAGE_SIZE = 1L << 20;
    private static final Duration DIGEST_TIME = Duration.ofMinutes(10);
    private static final byte[] NOTHING = {};
    private static final double MEBI = 1 << 20;
    private static final double NANOS = 1e9;

    @Parameters(index = "0", paramLabel = "NID", description = "The node, such as 10.0.0.2@o2ib.")
    @SuppressWarnings("NullAway.Init") // Required by picocli.
    private String nid;

    @Parameters(index = "1", paramLabel = "FILE", description = "The local file.")
    @SuppressWarnings("NullAway.Init") // Required by picocli.
    private Path file;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The name of the file at the node, at most 32 bytes. Default: the last part of FILE.")
    private @Nullable String name;

    @Option(names = "--wait", paramLabel = "SECONDS", description = OptionTexts.WAIT + " Default: 60.")
    private int wait = 60;

    abstract Carried carry(LnetNode node, Session session) throws Exception;

    /** The result of a file transfer, with the SHA-256 digest of the local file. */
    record Carried(Leg leg, String digest) {}

    /**
     * The control session of a file transfer with an LNet node: the control messages, the name of the node's file as bytes,
     * and the time limit for a reply.
     */
    record Session(Conversation with, byte[] name, Duration patience, LegTimer timer, ProgressBar progress) {
        ProcessId peer() {
            return with.peer();
        }

        Transaction transaction() {
            return with.transaction();
        }

        Heard ask(Word question, long number) throws DemoException, InterruptedException {
            with.say(question, number, name, patience);
            return with.await(patience, Word.READY, Word.REFUSED);
        }

        /** Completes the transfer, and returns the SHA-256 digest that the peer computed over its file. */
        String end() throws DemoException, InterruptedException {
            with.say(Word.DONE, 0, NOTHING, Transfer.STALL);
            Heard answer = with.await(DIGEST_TIME, Word.DIGEST, Word.REFUSED);
            if (answer.is(Word.REFUSED)) {
                throw new DemoException(peer() + " has aborted the transfer");
            }
            return HexFormat.of().formatHex(answer.payload());
        }
    }

    Path file() {
        return file;
    }

    Nid targetNid() {
        return target(nid);
    }

    @Override
    protected int run() throws Exception {
        require("--wait", wait, 1, Integer.MAX_VALUE);
        String called = name != null ? name : String.valueOf(file.getFileName());
        byte[] bytes = called.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > Control.PAYLOAD) {
            throw wrong("the name '" + called + "' is longer than 32 bytes; choose another one with --name");
        }
        Nid target = targetNid();
        LnetConfig settings = config();
        check();
        InstantSource clock = InstantSource.system();
        try (DeviceOptions.Devices open = openToCall(settings, target);
                LnetNode node = start(open, settings);
                PingResponder _ = PingResponder.start(node)) {
            Session session = new Session(
                    new Control(node).begin(ProcessId.of(target), Transaction.draw()),
                    bytes,
                    Duration.ofSeconds(wait),
                    new LegTimer(node.runtime(), clock),
                    new ProgressBar(commandLine().getErr(), ProgressBar.isTerminal(), clock));
            Carried carried = carry(node, session);
            report(called, carried);
        }
        return CommandLine.ExitCode.OK;
    }

    /**
     * Throws an exception if the value of an option is out of range. This method is called before the local LNet node
     * starts.
     */
    abstract void check();

    private void report(String called, Carried carried) {
        PrintWriter out = commandLine().getOut();
        double time = carried.leg().time().toNanos() / NANOS;
        out.println(String.format(
                Locale.ROOT,
                "%s: %d bytes in %.3f s, %.1f MiB/s, SHA-256 %s",
                called,
                carried.leg().bytes(),
                time,
                time > 0 ? carried.leg().bytes() / MEBI / time : 0,
                carried.digest()));
        out.flush();
    }

    static void compare(String here, String there) throws DemoException {
        if (!here.equals(there)) {
            throw new DemoException("SHA-256 differs: " + here + " at this node, " + there + " at the peer");
        }
    }

    @Command(name = "put", description = "Store a file at a running node.")
    static final class Put extends LnetFileCommand {
        @Override
        void check() {
            if (!Files.isRegularFile(file()) || !Files.isReadable(file())) {
                throw wrong("'" + file() + "' is not a readable file");
            }
        }

        @Override
        Carried carry(LnetNode node, Session session)
                throws IOException, VerbsException, DemoException, InterruptedException {
            try (FileData source = FileData.open(file())) {
                String digest = Sha256.of("SHA-256", source, session.progress());
                if (session.ask(Word.KEEP, Offer.encode(source.size(), MESSAGE_SIZE))
                        .is(Word.REFUSED)) {
                    throw new DemoException(session.peer() + " refuses to store " + source.size()
                            + " bytes: its quota is exhausted, it stores another node's file with this name,"
                            + " or too many transfers run at a time; choose another --name, or retry later");
                }
                Sections sections = Sections.of(MESSAGE_SIZE, Sections.LIMIT);
                Leg leg = session.timer()
                        .measure(
                                new PutTransfer(
                                        node, session.peer(), session.transaction(), source, sections, MESSAGE_SIZE),
                                source.size(),
                                session.progress());
                compare(digest, session.end());
                return new Carried(leg, digest);
            }
        }
    }

    @Command(name = "get", description = "Fetch a file that a running node stores.")
    static final class Get extends LnetFileCommand {
        @Override
        void check() {
            if (Files.isDirectory(file())) {
                throw wrong("'" + file() + "' is a directory; name a file");
            }
            if (Files.exists(file()) && !Files.isRegularFile(file())) {
                throw wrong("'" + file() + "' is not a regular file and cannot be replaced");
            }
        }

        @Override
        Carried carry(LnetNode node, Session session)
                throws IOException, VerbsException, DemoException, InterruptedException {
            Heard answer = session.ask(Word.FETCH, 0);
            if (answer.is(Word.REFUSED)) {
                throw new DemoException(session.peer() + " has no file with the name '"
                        + new String(session.name(), StandardCharsets.UTF_8) + "'");
            }
            Offer offer = Offer.decode(answer.number());
            try (Replacement replacement = Replacement.of(file())) {
                FileData.checkRoom(
                        Objects.requireNonNull(replacement.target().getParent()),
                        offer.size(),
                        1,
                        "name a FILE in another directory");
                Carried carried = fetch(node, session, offer, replacement);
                replacement.commit();
                return carried;
            }
        }

        private static Carried fetch(LnetNode node, Session session, Offer offer, Replacement into)
                throws IOException, VerbsException, DemoException, InterruptedException {
            try (FileData fetched = FileData.of(into, offer.size())) {
                Sections sections = Sections.of(offer.messageSize(), Sections.LIMIT);
                Leg leg = session.timer()
                        .measure(
                                new GetTransfer(
                                        node,
                                        session.peer(),
                                        session.transaction(),
                                        fetched,
                                        sections,
                                        offer.messageSize()),
                                offer.size(),
                                session.progress());
                String digest = Sha256.of("SHA-256", fetched, session.progress());
                compare(digest, session.end());
                return new Carried(leg, digest);
            }
        }
    }
}

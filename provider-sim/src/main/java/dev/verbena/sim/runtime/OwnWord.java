package dev.verbena.sim.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A word that several threads change by atomic operations, in a cache line of its own; a subclass, which has no fields, says what it
 * means.
 */
@SuppressWarnings("UnusedVariable")
public abstract class OwnWord extends WordLine {
    /** Reaches the word: an {@code int} of an object of this class. */
    protected static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(WordLine.class, "word", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private long behind1;
    private long behind2;
    private long behind3;
    private long behind4;
    private long behind5;
    private long behind6;
    private long behind7;

    /**
     * For subclasses.
     *
     * @param first the first value
     */
    protected OwnWord(int first) {
        super(first);
    }
}

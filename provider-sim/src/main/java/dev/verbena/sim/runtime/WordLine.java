package dev.verbena.sim.runtime;

/** The word of an {@link OwnWord}, behind what keeps it apart from the object before, and before what keeps it apart from the next. */
abstract class WordLine extends OwnLine {
    /** Reached through {@link OwnWord#WORD}. */
    int word;

    WordLine(int first) {
        word = first;
    }
}

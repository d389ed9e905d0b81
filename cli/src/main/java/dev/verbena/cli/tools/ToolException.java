package dev.verbena.cli.tools;

/** A tool did not come to its end. The message says why, on one line or more. */
public final class ToolException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * Says why.
     *
     * @param message why
     */
    public ToolException(String message) {
        super(message);
    }
}

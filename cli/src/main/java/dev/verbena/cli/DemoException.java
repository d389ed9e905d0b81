package dev.verbena.cli;

/** The demo did not finish; the message is for the user. */
final class DemoException extends Exception {
    private static final long serialVersionUID = 1L;

    DemoException(String message) {
        super(message);
    }

    /** Creates the exception with a cause. */
    DemoException(DemoException failure, String addition) {
        super(failure.getMessage() + addition, failure);
    }
}

package dev.verbena.cli;

/** A demo that did not come to its end; the message is for the user. */
final class DemoException extends Exception {
    private static final long serialVersionUID = 1L;

    DemoException(String message) {
        super(message);
    }

    /** The same with more to say. */
    DemoException(DemoException failure, String addition) {
        super(failure.getMessage() + addition, failure);
    }
}

package dev.verbena.cli.doctor;

/**
 * One line of what was found.
 *
 * @param subject what it is about
 * @param text what is so, and where something is missing, what cures it
 */
record Finding(String subject, String text) {
    @Override
    public String toString() {
        return subject + ": " + text;
    }
}

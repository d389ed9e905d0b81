// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * One LNet process: a NID and a process number. Kernel nodes all use {@link #LUSTRE_PID}.
 *
 * <p>Written {@code 12345-10.0.0.1@o2ib}.
 *
 * @param nid the interface
 * @param pid the process number; bit 31 marks a process in user space
 */
public record ProcessId(Nid nid, int pid) {

    /** The process number of every Lustre kernel node. */
    public static final int LUSTRE_PID = 12345;

    /** The process number that matches every other one, all ones. */
    public static final int ANY_PID = -1;

    /** Matches every process on every interface. */
    public static final ProcessId ANY = new ProcessId(Nid.ANY, ANY_PID);

    private static final int USER_SPACE = 0x8000_0000;

    /**
     * The kernel process on an interface.
     *
     * @param nid the interface
     * @return the id with {@link #LUSTRE_PID}
     */
    public static ProcessId of(Nid nid) {
        return new ProcessId(nid, LUSTRE_PID);
    }

    /**
     * Reads the textual form. A {@code U} before the number marks a user-space process, {@code *} matches any.
     *
     * @param text for example {@code 12345-10.0.0.1@o2ib}; without a number {@link #LUSTRE_PID} is meant
     * @return the id
     * @throws IllegalArgumentException if the text is not a process id; the message names the wrong part
     */
    public static ProcessId parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 0) {
            return of(Nid.parse(text));
        }
        String number = text.substring(0, dash);
        Nid nid = Nid.parse(text.substring(dash + 1));
        if (number.equals("*")) {
            return new ProcessId(nid, ANY_PID);
        }
        boolean user = number.startsWith("U");
        try {
            int pid = Integer.parseInt(user ? number.substring(1) : number);
            if (pid < 0) {
                throw new NumberFormatException();
            }
            return new ProcessId(nid, user ? pid | USER_SPACE : pid);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no LNet process id: \"" + number + "\" before the dash is no process number",
                    e);
        }
    }

    /**
     * Returns whether a process matches this id, which may have wildcards.
     *
     * @param other a process without wildcards
     * @return true if NID and process number are equal or any
     */
    public boolean covers(ProcessId other) {
        return (pid == ANY_PID || pid == other.pid) && (nid.isAny() || nid.equals(other.nid));
    }

    @Override
    public String toString() {
        if (pid == ANY_PID) {
            return "*-" + nid;
        }
        return (pid < 0 ? "U" : "") + (pid & ~USER_SPACE) + "-" + nid;
    }
}

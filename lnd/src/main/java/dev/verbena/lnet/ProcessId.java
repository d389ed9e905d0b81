// SPDX-License-Identifier: Apache-2.0
package dev.verbena.lnet;

/**
 * The id of an LNet process: a NID and an LNet PID, which is {@link #LUSTRE_PID} for all Lustre nodes in the kernel.
 *
 * <p>An LNet process id as a string is, for example, {@code 12345-10.0.0.1@o2ib}.
 *
 * @param nid the NID of the interface
 * @param pid the LNet PID; bit 31 is set for a process in user space
 */
public record ProcessId(Nid nid, int pid) {

    /** The LNet PID of every Lustre node that runs in the kernel. */
    public static final int LUSTRE_PID = 12345;

    /** The wildcard for every LNet PID; all bits are set. */
    public static final int ANY_PID = -1;

    /** The wildcard for every process on every interface. */
    public static final ProcessId ANY = new ProcessId(Nid.ANY, ANY_PID);

    private static final int USER_SPACE = 0x8000_0000;

    /**
     * {@return the process id with the given NID and the PID {@link #LUSTRE_PID}}
     *
     * @param nid the NID of the interface
     */
    public static ProcessId of(Nid nid) {
        return new ProcessId(nid, LUSTRE_PID);
    }

    /**
     * Parses an LNet process id. A {@code U} before the PID means user space; {@code *} as the PID means any PID.
     *
     * @param text a process id such as {@code 12345-10.0.0.1@o2ib}; the default PID is {@link #LUSTRE_PID}
     * @return the process id
     * @throws IllegalArgumentException if the text is not a process id; the message identifies the invalid field
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
                    "\"" + text + "\" is not an LNet process id: \"" + number + "\" before the dash is not a number",
                    e);
        }
    }

    /**
     * {@return whether this id, which may contain wildcards, matches a process}
     *
     * @param other a process id without wildcards
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

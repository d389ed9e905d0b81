// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import java.net.InetAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the address to which a listener binds. The wildcard address is valid. Host names are not resolved. */
public final class BindConverter implements ITypeConverter<InetAddress> {
    @Override
    public InetAddress convert(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'" + text
                    + "' is not an address; write that of an interface, such as 10.0.0.1, or 0.0.0.0 for all");
        }
    }
}

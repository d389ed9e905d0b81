// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.options;

import java.net.InetAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the address at which a listener binds, which may be the wildcard address. Host names are not resolved. */
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

package dev.verbena.cli;

import java.net.InetAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the address that a listener is bound to, which may be that of all interfaces. No name is looked up. */
final class BindConverter implements ITypeConverter<InetAddress> {
    @Override
    public InetAddress convert(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(
                    "'" + text + "' is no address; write that of an interface such as 10.0.0.1, or 0.0.0.0 for all");
        }
    }
}

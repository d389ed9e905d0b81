// SPDX-License-Identifier: Apache-2.0
package dev.verbena.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table of text in columns of minimal width. All columns except the first one are right-aligned. */
public final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public Table row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    public Table row(String name, long... numbers) {
        List<String> cells = new ArrayList<>();
        cells.add(name);
        for (long number : numbers) {
            cells.add(Long.toString(number));
        }
        rows.add(cells);
        return this;
    }

    /** Prints the rows of this table, followed by an empty line. */
    public void print(PrintWriter out) {
        for (List<String> cells : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < cells.size(); column++) {
                String cell = cells.get(column);
                String space = " ".repeat(width(column) - cell.length());
                line.append(column == 0 ? cell + space : GAP + space + cell);
            }
            out.println(line.toString().stripTrailing());
        }
        out.println();
    }

    private int width(int column) {
        return rows.stream()
                .filter(cells -> column < cells.size())
                .mapToInt(cells -> cells.get(column).length())
                .max()
                .orElse(0);
    }
}

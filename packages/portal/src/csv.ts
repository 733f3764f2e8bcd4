/** Makes text of a cell that a spreadsheet would run as a formula. */
export const disarmFormula = (text: string): string =>
  text.replace(/^[=+\-@＝＋－＠\t\r\n]/, "'$&");

/** Formats a row of CSV by RFC 4180. */
export const formatCsvRow = (cells: readonly string[]): string =>
  `${cells
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`;

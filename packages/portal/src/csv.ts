/**
 * Makes text of a cell that a spreadsheet would run as a formula, also where the spreadsheet separates
 * cells at semicolons or tabs.
 */
export const disarmFormula = (text: string): string =>
  text.replace(/(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t\r\n])"*)|^(?=[\t\r\n])/g, "'");

/** Formats a row of CSV by RFC 4180. */
export const formatCsvRow = (cells: readonly string[]): string =>
  `${cells
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`;

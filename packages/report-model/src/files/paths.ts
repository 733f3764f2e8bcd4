const advice = 'write a path inside the data folder, such as sales/orders.csv';

/** Describes what is wrong with the path of a data file; `undefined` if it is valid. */
export function describePath(path: string, property: 'file' | 'files'): string | undefined {
  if (/[\p{Cc}\p{Cs}\\]/u.test(path))
    return `the path has a backslash or a control character; ${advice}`;
  if (/^[/~]|:/.test(path)) return `the path is absolute or a URL; ${advice}`;
  const segments = path.split('/');
  if (segments.includes('..')) return `the path leaves the data folder; ${advice}`;
  if (segments.some((segment) => segment === '' || segment === '.'))
    return `the path has an empty or "." part; ${advice}`;
  // A single file's name is literal: it may contain the characters of a pattern.
  if (property === 'files' && !/[*?[\]{}]/.test(path))
    return 'files takes a pattern, such as sales/*.parquet; for one file, write file: instead of files:';
  if (/\.(xlsb|xls|ods)$/i.test(path))
    return 'this kind of workbook is not supported; save it as .xlsx, or save its sheet as CSV, and write the name of that file';
  return isWorkbook(path) || /\.(csv|tsv|txt|parquet)$/i.test(path)
    ? undefined
    : 'the file is not a CSV file, workbook or Parquet file; its name must end in .csv, .tsv, .txt, .xlsx, .xlsm or .parquet';
}

/** Whether the name of a data file is that of a workbook of Excel. */
export const isWorkbook = (path: string): boolean => /\.(xlsx|xlsm)$/i.test(path);

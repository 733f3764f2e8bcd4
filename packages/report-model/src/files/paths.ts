const advice = 'write a path below the folder of your data, such as sales/orders.csv';

/** What is wrong with the path of a data file; `undefined`: nothing. */
export function describePath(path: string, property: 'file' | 'files'): string | undefined {
  if (/[\p{Cc}\p{Cs}\\]/u.test(path))
    return `the path has a character that is not allowed; ${advice}`;
  if (/^[/~]|:/.test(path)) return `the path is absolute or an address; ${advice}`;
  const segments = path.split('/');
  if (segments.includes('..')) return `the path leaves its folder; ${advice}`;
  if (segments.some((segment) => segment === '' || segment === '.'))
    return `the path has an empty part; ${advice}`;
  const isPattern = /[*?[\]{}]/.test(path);
  if (property === 'file' && isPattern)
    return 'file is one file, but this is a pattern; write files: instead of file:';
  if (property === 'files' && !isPattern)
    return 'files is a pattern such as sales/*.parquet; for one file, write file: instead';
  return /\.(csv|tsv|txt|parquet)$/i.test(path)
    ? undefined
    : 'the file is neither CSV nor Parquet; its name must end in .csv, .tsv, .txt or .parquet';
}

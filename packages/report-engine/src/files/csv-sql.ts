export const quoteText = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** SQL: whether the whole value matches the pattern. */
export const fits = (v: string, pattern: string) =>
  `regexp_full_match(${v}, ${quoteText(pattern)})`;

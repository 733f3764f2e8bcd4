/** A mistake in a content file. */
export interface Mistake {
  /** Path in the content folder, such as `datasets/orders.yaml`. */
  file: string;
  /** Both count from 1. */
  line: number;
  column: number;
  /** What is wrong and what to write instead. */
  message: string;
}

/** Such as `datasets/orders.yaml:8:52`. */
export const formatPlace = ({ file, line, column }: Mistake): string => `${file}:${line}:${column}`;

export const formatMistake = (mistake: Mistake): string =>
  `${formatPlace(mistake)} ${mistake.message}`;

/** A message may quote a name as long as its file. */
const maxMessage = 1_000;

const shorten = (message: string): string =>
  message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message;

/** Sorts by file, line and column, and removes duplicates. */
export function sortMistakes(mistakes: readonly Mistake[]): Mistake[] {
  const shortened = mistakes.map((mistake) => ({
    ...mistake,
    message: shorten(mistake.message),
  }));
  const unique = new Map(shortened.map((mistake) => [formatMistake(mistake), mistake]));
  return [...unique.values()].toSorted(
    (a, b) =>
      Number(a.file > b.file) - Number(a.file < b.file) || a.line - b.line || a.column - b.column,
  );
}

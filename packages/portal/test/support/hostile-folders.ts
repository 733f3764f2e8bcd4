import given from '../content/hostile-folders.json' with { type: 'json' };

/** What a reader sees. */
export type Seen = { rows: number; total: string } | 'error';

/** A content folder, and what is right for it. */
export interface HostileFolder {
  /** Texts by path. */
  files: Readonly<Record<string, string>>;
  /** The content of another organization, which is applied first. */
  other?: Readonly<Record<string, string>>;
  expected: {
    /** The accepted outcomes. Refused are also folders that a reader cannot open. */
    outcome: readonly string[];
    /** By e-mail. A list has the accepted answers. */
    readers?: Readonly<Record<string, Seen | readonly Seen[]>>;
    /** Totals of the metrics, in the order of the tiles. */
    metricTotals?: Readonly<Record<string, string>>;
    /** Parts of a refusal. */
    message?: readonly string[];
    /** Texts that no message contains. */
    never?: readonly string[];
  };
}

type Folders = Readonly<Record<string, HostileFolder>>;

/** Harmless folders of the same forms. */
export const twins = given.twins as unknown as Folders;

const { matches } = twins;

/** Access of one reader with many rows, and of another one with one row. */
const withAccess = (rows: readonly string[], message: string): HostileFolder => ({
  files: {
    ...matches!.files,
    'data/access.csv': `Email,Land,Item\n${rows.map((row) => `ann@acme.example,${row}\n`).join('')}bob@acme.example,DE,Desk\n`,
  },
  expected: {
    outcome: ['refused'],
    readers: { 'ann@acme.example': 'error', 'bob@acme.example': { rows: 1, total: '2' } },
    message: [message],
  },
});

export const folders: Folders = {
  ...(given.folders as unknown as Folders),
  'matches 100,000 pairs': withAccess(
    Array.from({ length: 100_000 }, (_, index) => `L${index},I${index}`),
    '50,000',
  ),
  'matches more than 4 MB': withAccess(
    Array.from({ length: 5_000 }, (_, index) => `L${index},${'x'.repeat(1_000)}${index}`),
    '4 MB',
  ),
};

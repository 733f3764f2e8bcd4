import { parseFile, type Entry } from '../../backup/format.ts';
import type { Loaded } from '../../backup/load.ts';
import type { Progress } from '../../backup/pack.ts';
import { formatMegabytes } from '../../backup/room.ts';
import type { Cli } from '../cli.ts';
import { formatCount, write } from '../output.ts';
import { createProgress as createLine } from '../progress.ts';

interface Contents {
  rows: number;
  files: number;
  bytes: number;
}

export const countContents = (entries: readonly Entry[]): Contents => ({
  rows: entries.reduce((sum, { rows = 0 }) => sum + rows, 0),
  files: entries.filter(({ name }) => parseFile(name) !== undefined).length,
  bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
});

export const describeContents = ({ rows, files, bytes }: Contents): string =>
  `${formatCount(rows, 'row', 'rows')} and ${formatCount(files, 'data file', 'data files')}, ${formatMegabytes(bytes)}`;

export function describeRevived({ revived, revokedKeys }: Loaded): string {
  const counts: [number, string, string][] = [
    [revived.apiKeys, 'API key', 'API keys'],
    [
      revived.passwords,
      'password of an administrator or operator',
      'passwords of administrators and operators',
    ],
    [revived.operators, 'operator', 'operators'],
    [revived.identityProviders, 'identity provider', 'identity providers'],
    [revived.connectionGrants, 'right to use a connection', 'rights to use connections'],
    [revived.users, 'user', 'users'],
  ];
  const lines = counts.filter(([count]) => count > 0).map((each) => `  ${formatCount(...each)}`);
  return [
    ...(revokedKeys > 0 ? [`Revoked ${formatCount(revokedKeys, 'API key', 'API keys')}.`] : []),
    ...(lines.length > 0
      ? [
          'These work again as they did at that time, even if they were removed or revoked since. Check them:',
          ...lines,
        ]
      : []),
    'All sessions and unused links have ended. Send invitations again.',
  ].join('\n');
}

export async function warnOfMissing(cli: Cli, missing: readonly string[]): Promise<void> {
  if (missing.length === 0 || cli.asJson) return;
  const named = missing.slice(0, 5).join(', ');
  await write(
    cli.stderr,
    `portal: warning: Left out ${formatCount(missing.length, 'data file', 'data files')} that datasets name, because PORTAL_DATA_DIR of this machine has no such file: ${named}${missing.length > 5 ? ' and others' : ''}.\n`,
  );
}

/** Shows what a backup contains so far. */
export function createProgress(cli: Cli): {
  show: (progress: Progress) => void;
  clear: () => void;
} {
  const line = createLine(cli);
  return {
    show: ({ name, ...contents }) => line.show(`${describeContents(contents)}: ${name}`),
    clear: line.clear,
  };
}

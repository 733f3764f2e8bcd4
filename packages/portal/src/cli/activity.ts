import type { Command } from '@commander-js/extra-typings';

import { presentActivity } from '../activity-log/presenter.ts';
import { countPruned, listActivity, pruneActivity } from '../activity-log/service.ts';
import { addOrganizationCommand, openContext, type Cli } from './cli.ts';
import { formatTable } from './output.ts';
import { parsePast, parseWhole } from './parsers.ts';
import { addPruneCommand } from './prune.ts';

export function addActivityCommands(program: Command, cli: Cli): void {
  const activity = program
    .command('activity')
    .description('list and prune the activity log: what keys and operators did or were refused');

  addOrganizationCommand(activity, 'list', 'list entries, newest first', [
    'portal activity list -o acme --without-mints',
    'portal activity list -o acme --refused --from 24h',
    'portal activity list -o acme --action deleteUser --json',
  ])
    .option('--action <action>', 'only this operation')
    .option('--refused', 'only refused operations')
    .option('--without-mints', 'leave out mints of identity URLs, which are most of the entries')
    .option('--from <moment>', 'only at or after this time', parsePast)
    .option('--to <moment>', 'only before this time', parsePast)
    .option('--before-id <id>', 'only entries older than this one, to continue a list', parseWhole)
    .option('--limit <number>', 'maximum number of entries', parseWhole, 100)
    .action((options) =>
      cli.onDatabase(async (db, config) => {
        const { organization, action, refused, withoutMints, from, to, beforeId, limit } = options;
        const ctx = await openContext(db, config, organization, { deletedToo: true });
        const filter = { action, refused, withoutMints, from, to, beforeId, limit };
        const entries = (await listActivity(ctx, filter)).map(presentActivity);
        const cells = entries.map((entry) => [
          entry.id,
          entry.createdAt,
          entry.actor.name,
          entry.action,
          entry.subject,
          describeRefusal(entry),
          entry.count,
          entry.count > 1 ? entry.lastAt : null,
        ]);
        const columns = ['ID', 'TIME', 'BY', 'ACTION', 'ABOUT', 'REFUSED', 'COUNT', 'LAST TIME'];
        return { json: entries, text: formatTable(columns, cells, 'No entries found.') };
      }),
    );

  addPruneCommand(activity, cli, {
    name: 'activity log',
    count: countPruned,
    prune: pruneActivity,
    remains: true,
    examples: [
      'portal activity prune -o acme --before 400d',
      'portal activity prune -o acme --before 400d --yes',
    ],
  });
}

/** The code of a refusal and, if the entry has it, the advice. */
function describeRefusal({ refusal, details }: ReturnType<typeof presentActivity>): string | null {
  const { advice } = (details ?? {}) as { advice?: unknown };
  return refusal !== null && typeof advice === 'string' ? `${refusal}: ${advice}` : refusal;
}

import { Option, type Command } from '@commander-js/extra-typings';

import type { Context } from '../actor/actor.ts';
import { PortalError } from '../errors.ts';
import { addOrganizationCommand, openContext, type Cli } from './cli.ts';
import { formatCount } from './output.ts';
import { parseElapsed } from './parsers.ts';

interface PrunedLog {
  /** Such as `access log`. */
  name: string;
  count: (ctx: Context, before: Date) => Promise<number>;
  prune: (ctx: Context, before: Date) => Promise<number>;
  /** Whether the log of a deleted organization remains. */
  remains?: boolean;
  examples: readonly string[];
}

/** Adds a command that removes old entries of a log after a confirmation. */
export function addPruneCommand(parent: Command, cli: Cli, log: PrunedLog): void {
  addOrganizationCommand(
    parent,
    'prune',
    'show the number of old entries, ask, and remove them permanently',
    log.examples,
  )
    .addOption(
      new Option('--before <moment>', 'remove entries older than this')
        .argParser(parseElapsed)
        .makeOptionMandatory(),
    )
    .option('--yes', 'remove them without asking; required in scripts')
    .action(({ organization, yes = false, ...options }) =>
      cli.onDatabase(async (db, config) => {
        const before: Date = options.before;
        const ctx = await openContext(db, config, organization, {
          deletedToo: log.remains ?? false,
        });
        if (!yes)
          await confirmRemoval(cli, {
            log,
            organization,
            before,
            count: await log.count(ctx, before),
          });
        const pruned = await log.prune(ctx, before);
        return {
          json: { pruned, before },
          text: `Removed ${formatEntries(pruned)} from before ${before.toISOString()}.`,
        };
      }),
    );
}

const formatEntries = (count: number) => formatCount(count, 'entry', 'entries');

/**
 * Asks before entries of a log are removed.
 *
 * @throws `invalid_request` without a confirmation
 */
export async function confirmRemoval(
  cli: Cli,
  pruned: { log: Pick<PrunedLog, 'name'>; organization: string; before: Date; count: number },
): Promise<void> {
  const { log, organization, before, count } = pruned;
  const entries = `${formatEntries(count)} of the ${log.name} of ${organization} from before ${before.toISOString()}`;
  const answer = await cli.ask(`Remove ${entries} permanently? [y/N] `);
  if (answer === undefined)
    throw new PortalError(
      'invalid_request',
      `This would remove ${entries} permanently. Nothing was removed. Add --yes to remove them.`,
    );
  if (!/^\s*y(es)?\s*$/i.test(answer))
    throw new PortalError(
      'invalid_request',
      'Nothing was removed, because the answer was not yes.',
    );
}

import { InvalidArgumentError, type Command } from '@commander-js/extra-typings';

import { countPruned as countAccessLog } from '../access-log/service.ts';
import { countPruned as countActivityLog } from '../activity-log/service.ts';
import { PortalError } from '../errors.ts';
import { setLogRetention } from '../organizations/service.ts';
import { addCommand, type Cli } from './cli.ts';
import { formatCount } from './output.ts';
import { confirmRemoval } from './prune.ts';

const logs = [
  { field: 'accessLogDays', name: 'access log', count: countAccessLog },
  { field: 'activityLogDays', name: 'activity log', count: countActivityLog },
] as const;

/** Adds the command that sets how long an organization keeps its logs. */
export function addRetentionCommand(organizations: Command, cli: Cli): void {
  addCommand(
    organizations,
    'set-log-retention <organization>',
    'set how many days entries stay in the logs; asks before it removes entries that are already older',
    [
      'portal organizations set-log-retention acme --access-log 400 --activity-log 730',
      'portal organizations set-log-retention acme --access-log forever',
    ],
  )
    .option('--access-log <days>', 'days, or forever', parseDays)
    .option('--activity-log <days>', 'days, or forever', parseDays)
    .option('--yes', 'remove older entries without asking; required in scripts')
    .action((organization: string, { accessLog, activityLog, yes = false, ...options }) =>
      cli.onOrganization(
        { ...options, organization },
        async (ctx) => {
          const retention = {
            accessLogDays: accessLog === 'forever' ? null : accessLog,
            activityLogDays: activityLog === 'forever' ? null : activityLog,
          };
          if (accessLog === undefined && activityLog === undefined)
            throw new PortalError(
              'invalid_request',
              'Nothing was changed. Add --access-log, --activity-log or both.',
            );
          for (const { field, ...log } of logs) {
            const days = retention[field];
            if (typeof days !== 'number' || yes) continue;
            const before = new Date(Date.now() - days * 86_400_000);
            const count = await log.count(ctx, before);
            if (count > 0) await confirmRemoval(cli, { log, organization, before, count });
          }
          const set = await setLogRetention(ctx, retention);
          return {
            json: { organizationId: ctx.organizationId, ...set },
            text: logs
              .map(
                ({ field, name }) =>
                  `Entries stay in the ${name} of ${organization} ${formatDays(set[field])}.`,
              )
              .join('\n'),
          };
        },
        { action: 'setLogRetention', subject: organization },
      ),
    );
}

const maxDays = 36_500;

/** Commander cannot return `null` for an option. */
function parseDays(text: string): number | 'forever' {
  if (text === 'forever') return text;
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= maxDays) return Number(text);
  throw new InvalidArgumentError(
    `Write a whole number of days from 1 to ${maxDays.toLocaleString('en')}, or forever.`,
  );
}

const formatDays = (days: number | null) =>
  days === null ? 'forever' : `for ${formatCount(days, 'day', 'days')}`;

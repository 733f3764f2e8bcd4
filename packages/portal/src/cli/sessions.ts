import type { Command } from '@commander-js/extra-typings';
import { endpoints } from '@portal-embed/contract';

import { presentSession } from '../viewer-sessions/presenter.ts';
import { endSessions, listSessions } from '../viewer-sessions/service.ts';
import { addOrganizationCommand, type Cli } from './cli.ts';
import { emailFilterSchema, parseInput } from './input.ts';
import { formatCount, formatTable } from './output.ts';
import { parseWhole } from './parsers.ts';

export function addSessionCommands(program: Command, cli: Cli): void {
  const sessions = program.command('sessions').description('list and end portal sessions');

  addOrganizationCommand(sessions, 'list', 'list open sessions, newest first', [
    'portal sessions list -o acme',
    'portal sessions list -o acme --email ann@acme.example',
  ])
    .option('--email <email>', 'only sessions of this user')
    .option('--limit <number>', 'maximum number of sessions', parseWhole, 100)
    .action((options) =>
      cli.onOrganization(options, async (ctx) => {
        const { limit } = options;
        const userEmail = parseInput(emailFilterSchema, options.email, 'email');
        const open = (await listSessions(ctx, { userEmail, limit })).map(presentSession);
        const cells = open.map((session) => [
          session.userEmail,
          session.reportName ?? 'whole portal',
          session.openedAt,
          session.lastUsedAt,
          session.apiKeyName,
          session.address,
        ]);
        const columns = ['E-MAIL', 'REPORT', 'OPENED', 'LAST USED', 'API KEY', 'ADDRESS'];
        return { json: open, text: formatTable(columns, cells, 'There are no open sessions.') };
      }),
    );

  addOrganizationCommand(
    sessions,
    'end <email>',
    "end a user's open sessions and unused identity URLs at once",
    ['portal sessions end ann@acme.example -o acme'],
  ).action((userEmail: string, options) =>
    cli.onOrganization(
      options,
      async (ctx) => {
        const input = parseInput(endpoints.endSessions.params, { userEmail });
        const ended = await endSessions(ctx, input);
        return {
          json: { userEmail, ...ended },
          text: `Ended ${formatCount(ended.sessions, 'session', 'sessions')} and ${formatCount(ended.urls, 'unused URL', 'unused URLs')} of ${userEmail}.`,
        };
      },
      { action: 'endSessions', subject: userEmail },
    ),
  );
}

import { Argument, Option, type Command } from '@commander-js/extra-typings';

import type { ChangeKind } from '#admin/requests';
import type { RemotePlatform } from '#platform';
import { cloudNames, connectionSchema, powerbi } from '#platform-powerbi';

import type { Context } from '../actor/actor.ts';
import { PortalError } from '../errors.ts';
import type { SyncOutcome, SyncResult } from '../remote-platforms/apply-remote.ts';
import { openPowerbi } from '../remote-platforms/open-powerbi.ts';
import { powerbiVariablesOf } from '../remote-platforms/powerbi-variables.ts';
import { listRuns } from '../remote-platforms/runs.ts';
import {
  connectPlatform,
  declareRoles,
  disconnectPlatform,
  listConnections,
  requireConnection,
  type RemovedRole,
} from '../remote-platforms/service.ts';
import { syncPlatform } from '../remote-platforms/sync.ts';
import { addCommand, addOrganizationCommand, type Cli } from './cli.ts';
import { exitCodes } from './exit-codes.ts';
import { parseInput } from './input.ts';
import { formatTable } from './output.ts';

const platformsHelp = `
A platform is another product whose reports the portal shows: Power BI. Its secret is not an option, but
a variable of the portal: PORTAL_POWERBI_SECRET_ACME for the organization acme, or
PORTAL_POWERBI_CERTIFICATE_ACME with the path of a file.`;

const { name } = powerbi;

const platformArgument = () => new Argument('<platform>', 'the product').choices([name]);

export function addPlatformCommands(program: Command, cli: Cli): void {
  const platforms = program
    .command('platforms')
    .description('connect organizations to Power BI, and list its reports in the catalogue')
    .addHelpText('after', platformsHelp);

  addCommand(platforms, 'list', 'list the connections, and how their last synchronization ended', [
    'portal platforms list',
  ]).action(() =>
    cli.onDatabase(async (db, { powerbiCredentials }) => {
      const found = await Promise.all(
        (await listConnections(db)).map(async ({ organizationId, slug, platform, settings }) => {
          const runs = await listRuns({ db, organizationId }, platform);
          const last = runs.find(({ kind, endedAt }) => kind === 'sync' && endedAt !== null);
          return {
            organization: slug,
            platform,
            hasSecret: powerbiCredentials.has(slug),
            syncedAt: last?.endedAt?.toISOString() ?? null,
            failure: last?.failure ?? null,
            notes: (last?.result as SyncOutcome | null | undefined)?.notes ?? [],
            settings,
          };
        }),
      );
      const cells = found.map((row) => [
        row.organization,
        row.platform,
        row.hasSecret ? 'set' : 'missing',
        row.syncedAt,
        row.syncedAt === null
          ? null
          : (row.failure ?? (row.notes.length > 0 ? `${row.notes.length} not listed` : 'ok')),
      ]);
      const columns = ['ORGANIZATION', 'PLATFORM', 'SECRET', 'SYNCHRONIZED', 'RESULT'];
      return { json: found, text: formatTable(columns, cells, 'There are no connections.') };
    }),
  );

  addOrganizationCommand(
    platforms,
    'add',
    'connect an organization to Power BI, or replace its connection',
    [
      `portal platforms add ${name} -o acme --tenant TENANT-ID --client-id APPLICATION-ID --workspace WORKSPACE-ID`,
    ],
  )
    .addArgument(platformArgument())
    .requiredOption('--tenant <id>', 'id of the tenant in Microsoft Entra ID')
    .requiredOption('--client-id <id>', 'id of the application in Microsoft Entra ID')
    .requiredOption('--workspace <id...>', 'ids of the workspaces whose reports are shown')
    .addOption(
      new Option('--cloud <cloud>', "Microsoft's cloud")
        .choices(cloudNames)
        .default('commercial' as const),
    )
    .addOption(
      new Option('--username <kind>', 'what row-level security sees as the user name')
        .choices(['email', 'id'])
        .default('email' as const),
    )
    .option(
      '--custom-data',
      'send the filters of the host to models that enforce them, as CUSTOMDATA()',
    )
    .action((_platform, options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const { tenant, clientId, workspace, cloud, username, customData = false } = options;
          const given = { tenant, clientId, workspaces: workspace, cloud, username, customData };
          const settings = parseInput(connectionSchema, given);
          await connectPlatform(ctx, name, settings);
          const { slug } = await requireConnection(ctx, name);
          const { secret, certificate } = powerbiVariablesOf(slug);
          const check = `\`portal platforms check ${name} -o ${options.organization}\``;
          const next = cli.readConfig().powerbiCredentials.has(slug)
            ? `Run ${check}.`
            : `Set ${secret} or ${certificate} for the portal and for this command line, restart the portal, and run ${check}.`;
          return {
            json: { organizationId: ctx.organizationId, platform: name, settings },
            text: `${options.organization} is connected to Power BI. ${next}`,
          };
        },
        { action: 'connectPlatform', subject: name },
      ),
    );

  addOrganizationCommand(
    platforms,
    'remove',
    'end the connection; its reports are archived, and keep their ids and access',
    [`portal platforms remove ${name} -o acme`],
  )
    .addArgument(platformArgument())
    .action((_platform, options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          await disconnectPlatform(ctx, open(ctx, cli));
          return {
            json: { organizationId: ctx.organizationId, platform: name },
            text: `${options.organization} is no longer connected to Power BI. Its reports are archived.`,
          };
        },
        { action: 'disconnectPlatform', subject: name },
      ),
    );

  addOrganizationCommand(
    platforms,
    'check',
    'tell whether sign-in, the rights in each workspace and tokens work, and what to do',
    [`portal platforms check ${name} -o acme`],
  )
    .addArgument(platformArgument())
    .action((_platform, options) =>
      cli.onOrganization(options, async (ctx) => {
        await requireConnection(ctx, name);
        const findings = await open(ctx, cli).remote.check(ctx.organizationId, signalOf(cli));
        if (findings.some(({ level }) => level === 'error')) cli.exitCode = exitCodes.failed;
        const cells = findings.map(({ level, text }) => [level, text]);
        return { json: { findings }, text: formatTable(['RESULT', 'FINDING'], cells, 'ok') };
      }),
    );

  addOrganizationCommand(
    platforms,
    'sync',
    'list the reports of the connection in the catalogue now; the portal does so every hour',
    [`portal platforms sync ${name} -o acme`],
  )
    .addArgument(platformArgument())
    .action((_platform, options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const result = await syncPlatform(ctx, open(ctx, cli), signalOf(cli));
          if (result.failure !== null) cli.exitCode = exitCodes.failed;
          return { json: result, text: describeSync(result) };
        },
        { action: 'syncPlatform', subject: name },
      ),
    );

  addOrganizationCommand(
    platforms,
    'set-roles <dataset>',
    'name the roles of a model, which Power BI does not list; other roles are removed with their links',
    [
      'portal platforms set-roles MODEL-ID -o acme --role East West',
      'portal platforms set-roles MODEL-ID -o acme --without-roles',
    ],
  )
    .addOption(new Option('--role <name...>', 'names as in Power BI'))
    .addOption(new Option('--without-roles', 'remove all roles').conflicts('role'))
    .action((datasetId: string, { role, withoutRoles, ...options }) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const names = withoutRoles ? [] : role;
          if (!names)
            throw new PortalError(
              'invalid_request',
              'Name the roles with --role <name...>, or remove all with --without-roles.',
            );
          const { removed } = await declareRoles(ctx, open(ctx, cli), { datasetId, names });
          const roles = names.length === 0 ? 'no roles' : `the roles ${names.join(', ')}`;
          const lines = removed.map(describeRemoved);
          return {
            json: { datasetId, roles: names, removed },
            text: [`The dataset has ${roles}.`, ...lines].join('\n'),
          };
        },
        { action: 'declareRoles', subject: datasetId },
      ),
    );
}

const describeRemoved = ({ name: role, users, groups }: RemovedRole) =>
  `Removed: ${role}, with its links to ${count(users, 'user')} and ${count(groups, 'group')}.`;

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

const signalOf = (cli: Cli): AbortSignal => cli.signal ?? new AbortController().signal;

/** The page half is not used on the command line. */
const open = ({ db }: Context, cli: Cli): RemotePlatform =>
  openPowerbi(db, cli.readConfig(), { webFolder: '' });

const labels: Record<ChangeKind, string> = {
  added: 'added',
  renamed: 'renamed',
  moved: 'moved',
  changed: 'changed',
  returned: 'returned',
  gone: 'archived, because it is gone',
  datasets: 'dataset changed',
};

function describeSync({ notes, failure, ...found }: SyncResult): string {
  const lines = Object.entries(found).flatMap(([kind, names]) =>
    names.map((each) => `${labels[kind as keyof typeof labels]}: ${each}`),
  );
  return [
    ...(lines.length > 0 ? lines : ['Nothing has changed.']),
    ...notes,
    ...(failure === null ? [] : [failure]),
  ].join('\n');
}

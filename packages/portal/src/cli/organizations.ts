import path from 'node:path';

import { Argument, Option, type Command } from '@commander-js/extra-typings';
import { z } from 'zod';

import { removeFolder } from '#report-engine';

import { PortalError } from '../errors.ts';
import { datasetFolderOf } from '../files/open.ts';
import { presentOrganization } from '../organizations/presenter.ts';
import {
  createOrganization,
  deleteOrganization,
  listOrganizations,
  setHomeUrl,
  setOrigins,
  setUnappliedFilters,
  unappliedFilterSettings,
} from '../organizations/service.ts';
import { addCommand, openContext, type Cli } from './cli.ts';
import { nameSchema, parseInput } from './input.ts';
import { addOidcCommands } from './oidc.ts';
import { formatTable } from './output.ts';
import { addRetentionCommand } from './retention.ts';

const organizationSchema = z.object({
  slug: z
    .string()
    .regex(/^[a-z0-9](-?[a-z0-9])*$/, 'must be lower-case letters, digits and single hyphens')
    .max(63),
  name: nameSchema,
  accentColor: z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'must be a color like #0f6e56'),
});

export function addOrganizationCommands(program: Command, cli: Cli): void {
  const organizations = program.command('organizations').description('manage organizations');

  addCommand(organizations, 'create <slug>', 'create an organization', [
    'portal organizations create acme --name Acme --accent-color "#0f6e56"',
  ])
    .requiredOption('--name <name>', 'name shown on the pages of its portal')
    .option('--accent-color <color>', 'color of the pages of its portal, as #rrggbb', '#0f6e56')
    .action((slug: string, options) =>
      cli.onDatabase(async (db, { operator }) => {
        const { name, accentColor } = options;
        const organization = parseInput(organizationSchema, { slug, name, accentColor });
        const id = await createOrganization(db, { ...organization, operator });
        return {
          json: { id, ...organization },
          text: `Created the organization ${slug} (${id}). Set its addresses and embed origins next.`,
        };
      }),
    );

  addCommand(organizations, 'list', 'list the organizations', [
    'portal organizations list',
    'portal organizations list --json',
  ]).action(() =>
    cli.onDatabase(async (db) => {
      const rows = (await listOrganizations(db)).map(presentOrganization);
      const cells = rows.map((row) => [
        row.slug,
        row.name,
        row.id,
        row.addresses.join(' ') || null,
        row.embedOrigins.join(' ') || null,
      ]);
      const columns = ['SLUG', 'NAME', 'ID', 'ADDRESSES', 'EMBED ORIGINS'];
      return { json: rows, text: formatTable(columns, cells, 'There are no organizations yet.') };
    }),
  );

  for (const { command, field, label, description, examples } of [
    {
      command: 'set-addresses',
      field: 'addresses',
      label: 'addresses',
      description: "replace the addresses (origins) of an organization's portal",
      examples: [
        'portal organizations set-addresses acme https://acme.portal.example',
        'portal organizations set-addresses acme    # none',
      ],
    },
    {
      command: 'set-embed-origins',
      field: 'embedOrigins',
      label: 'embed origins',
      description: "replace the origins whose pages may embed an organization's portal",
      examples: ['portal organizations set-embed-origins acme https://app.acme.example'],
    },
  ] as const)
    addCommand(
      organizations,
      `${command} <organization> [origins...]`,
      description,
      examples,
    ).action((organization: string, origins: string[], options) =>
      cli.onOrganization(
        { ...options, organization },
        async (ctx) => {
          const { adminUrl } = cli.readConfig();
          const set = await setOrigins(ctx, { [field]: origins, adminUrl });
          return {
            json: { organizationId: ctx.organizationId, ...set },
            text: `The ${label} of ${organization} are now: ${set[field]?.join(', ') || 'none'}.`,
          };
        },
        { action: 'setOrigins', subject: organization },
      ),
    );

  addCommand(
    organizations,
    'set-unapplied-filters <organization>',
    'choose what happens when a filter names no column of a report',
    ['portal organizations set-unapplied-filters acme refuse'],
  )
    .addArgument(
      new Argument('<setting>', 'show the report with a note, or refuse to show it').choices(
        unappliedFilterSettings,
      ),
    )
    .action((organization: string, setting: (typeof unappliedFilterSettings)[number], options) =>
      cli.onOrganization(
        { ...options, organization },
        async (ctx) => {
          await setUnappliedFilters(ctx, setting);
          return {
            json: { organizationId: ctx.organizationId, unappliedFilters: setting },
            text: `The setting for unapplied filters of ${organization} is now ${setting}.`,
          };
        },
        { action: 'setUnappliedFilters', subject: organization },
      ),
    );

  addCommand(
    organizations,
    'set-home-url <organization> [address]',
    "set the address of an organization's application; pages that have no session show a link to it; without an address, remove it",
    [
      'portal organizations set-home-url acme https://app.acme.example/reports',
      'portal organizations set-home-url acme    # none',
    ],
  ).action((organization: string, address: string | undefined, options) =>
    cli.onOrganization(
      { ...options, organization },
      async (ctx) => {
        const homeUrl = await setHomeUrl(ctx, address ?? null);
        return {
          json: { organizationId: ctx.organizationId, homeUrl },
          text: `The home URL of ${organization} is now: ${homeUrl ?? 'none'}.`,
        };
      },
      { action: 'setHomeUrl', subject: organization },
    ),
  );

  addRetentionCommand(organizations, cli);
  addOidcCommands(organizations, cli);

  addCommand(organizations, 'delete <organization>', 'delete an organization with all its data', [
    'portal audit export -o acme --output acme-audit.csv',
    'portal organizations delete acme --confirm acme',
  ])
    .addOption(
      new Option(
        '--confirm <organization>',
        'the same organization again; its users, reports, keys and both logs are deleted permanently',
      ).makeOptionMandatory(),
    )
    .action((organization: string, options) =>
      cli.onDatabase(async (db, config) => {
        if (options.confirm !== organization)
          throw new PortalError(
            'invalid_request',
            `Nothing was deleted. To delete ${organization}, add --confirm ${organization}.`,
          );
        const ctx = await openContext(db, config, organization);
        const datasetFolder = datasetFolderOf(config);
        cli.requireOwner(path.join(datasetFolder, ctx.organizationId));
        await deleteOrganization(ctx);
        await removeFolder(datasetFolder, ctx.organizationId);
        return {
          json: { id: ctx.organizationId },
          text: `Deleted the organization ${organization}.`,
        };
      }),
    );
}

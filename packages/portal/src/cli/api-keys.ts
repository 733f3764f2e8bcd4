import { Option, type Command } from '@commander-js/extra-typings';
import { permissions, type Permission } from '@portal-embed/contract';

import { presentApiKey } from '../api-keys/presenter.ts';
import {
  createApiKey,
  listApiKeys,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../api-keys/service.ts';
import { PortalError } from '../errors.ts';
import { countKeylessSessions } from '../viewer-sessions/service.ts';
import { addOrganizationCommand, type Cli } from './cli.ts';
import { idSchema, nameSchema, parseInput } from './input.ts';
import { formatTable } from './output.ts';
import { parseFuture } from './parsers.ts';

const sampleKey = '0b5e8f6c-5f0e-4c55-a3a5-8d7d0a9f3c21';

const createExpiryOption = (description: string) =>
  new Option('--expires <moment>', description).argParser(parseFuture);

const warnings: Partial<Record<Permission, string>> = {
  'administrators:write': `
With administrators:write, it can create users who administer the organization. Keep it as safe as the
password of an administrator. A key that provisions readers does not need it.
`,
  'content:write': `
With content:write, it can show any row of the organization to any user. Keep it as safe as a
password of the database.
`,
};

/** Puts the key on its own line, so that it is easy to copy. */
const describeNewKey = (what: string, id: string, key: string) =>
  `${what} (${id}). The key is shown only once, because only its hash is stored:\n\n${key}\n`;

export function addApiKeyCommands(program: Command, cli: Cli): void {
  const apiKeys = program
    .command('api-keys')
    .description('manage API keys')
    .addHelpText('after', `\nPermissions:\n${permissions.map((name) => `  ${name}`).join('\n')}`);

  addOrganizationCommand(apiKeys, 'create', 'create a key and show it once', [
    'portal api-keys create -o acme --name "Acme app" --permission identity:mint --expires 365d',
    'portal api-keys create -o acme --name Directory --permission users:read users:write',
    'portal api-keys create -o acme --name Administration --all-permissions',
  ])
    .requiredOption('--name <name>', 'name of the key, such as the application that uses it')
    .addOption(
      new Option('--permission <permission...>', 'permissions of the key').choices(permissions),
    )
    .addOption(new Option('--all-permissions', 'grant every permission').conflicts('permission'))
    .addOption(createExpiryOption('when the key expires; default: never'))
    .action((options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const chosen = options.allPermissions ? permissions : options.permission;
          if (!chosen)
            throw new PortalError(
              'invalid_request',
              'The key needs permissions. Add --permission <permission...> or --all-permissions.',
            );
          const name = parseInput(nameSchema, options.name);
          const expiresAt: Date | null = options.expires ?? null;
          const wanted = { name, permissions: [...new Set(chosen)], expiresAt };
          const created = await createApiKey(ctx, wanted);
          return {
            json: { ...created, ...wanted },
            text:
              describeNewKey(`Created the API key ${name}`, created.id, created.key) +
              wanted.permissions.map((permission) => warnings[permission] ?? '').join(''),
          };
        },
        { action: 'createApiKey', subject: options.name },
      ),
    );

  addOrganizationCommand(apiKeys, 'list', 'list keys, without their secrets', [
    'portal api-keys list -o acme',
  ]).action((options) =>
    cli.onOrganization(options, async (ctx) => {
      const keys = (await listApiKeys(ctx)).map(presentApiKey);
      const cells = keys.map((key) => [
        key.name,
        key.id,
        key.replacedBy && key.state === 'live' ? 'rotated' : key.state,
        key.expiresAt,
        key.lastUsedAt,
        key.permissions.length === permissions.length ? 'all' : key.permissions.join(' '),
      ]);
      const columns = ['NAME', 'ID', 'STATE', 'EXPIRES', 'LAST USED', 'PERMISSIONS'];
      return { json: keys, text: formatTable(columns, cells, 'There are no API keys yet.') };
    }),
  );

  addOrganizationCommand(apiKeys, 'rename <id> <name>', 'rename a key', [
    `portal api-keys rename ${sampleKey} "Acme app, production" -o acme`,
  ]).action((id: string, name: string, options) =>
    cli.onOrganization(
      options,
      async (ctx) => {
        const input = { id: parseInput(idSchema, id, 'id'), name: parseInput(nameSchema, name) };
        await renameApiKey(ctx, input);
        return { json: input, text: `The name of the API key ${id} is now ${name}.` };
      },
      { action: 'renameApiKey', subject: id },
    ),
  );

  addOrganizationCommand(
    apiKeys,
    'rotate <id>',
    'create a key that replaces another and show it once',
    [
      `portal api-keys rotate ${sampleKey} -o acme --old-works-until 24h`,
      `portal api-keys rotate ${sampleKey} -o acme --old-works-until 0m    # ends it now`,
    ],
  )
    .addOption(
      new Option('--old-works-until <moment>', 'when the old key expires')
        .argParser(parseFuture)
        .makeOptionMandatory(),
    )
    .addOption(
      createExpiryOption(
        'when the new key expires; default: after the same lifetime as the old key',
      ),
    )
    .action((id: string, options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const oldWorksUntil: Date = options.oldWorksUntil;
          const created = await rotateApiKey(ctx, {
            id: parseInput(idSchema, id, 'id'),
            oldWorksUntil,
            ...(options.expires ? { expiresAt: options.expires } : {}),
          });
          const until = oldWorksUntil.toISOString();
          return {
            json: { ...created, replaces: id, oldWorksUntil: until },
            text: `${describeNewKey('Created its successor', created.id, created.key)}\nThe old key works until ${until}.`,
          };
        },
        { action: 'rotateApiKey', subject: id },
      ),
    );

  addOrganizationCommand(
    apiKeys,
    'revoke <id>',
    'revoke a key permanently, and end the URLs and sessions that were minted with it',
    [
      `portal api-keys revoke ${sampleKey} -o acme`,
      `portal api-keys revoke ${sampleKey} -o acme --keep-sessions`,
    ],
  )
    .option('--keep-sessions', 'keep open sessions and unused URLs of the key')
    .action((id: string, options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const keepSessions: boolean = options.keepSessions ?? false;
          await revokeApiKey(ctx, { id: parseInput(idSchema, id, 'id'), keepSessions });
          const keyless = keepSessions ? 0 : await countKeylessSessions(ctx);
          const sentences = [
            `The API key ${id} is revoked.`,
            keepSessions
              ? 'Sessions and URLs minted with it stay valid.'
              : 'Sessions and URLs minted with it have ended.',
            ...(keyless > 0
              ? [
                  `${keyless} open sessions and unused URLs are from an earlier release, which did not store the key, and stay valid. End those of a user with \`portal sessions end\`.`,
                ]
              : []),
          ];
          return { json: { id, keepSessions, keyless }, text: sentences.join(' ') };
        },
        { action: 'revokeApiKey', subject: id },
      ),
    );
}

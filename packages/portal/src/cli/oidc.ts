import type { Command } from '@commander-js/extra-typings';

import { findById } from '../organizations/store.ts';
import { redirectUriOf, secretVariable } from '../sign-in/oidc/oidc-variables.ts';
import { removeOidc, setOidc } from '../sign-in/oidc/provider-settings.ts';
import { addCommand, type Cli } from './cli.ts';
import { clientIdSchema, parseInput } from './input.ts';

/** Commands of the sign-in with the identity provider of an organization. */
export function addOidcCommands(organizations: Command, cli: Cli): void {
  addCommand(
    organizations,
    'set-oidc <organization>',
    "let an organization's users sign in to the administration with its identity provider",
    [
      'portal organizations set-oidc acme --issuer https://login.acme.example --client-id portal',
      'portal organizations set-oidc acme --issuer https://login.acme.example --client-id portal --no-passwords',
      'portal organizations set-oidc acme --issuer https://login.microsoftonline.com/TENANT-ID/v2.0 --client-id APPLICATION-ID --trust-emails',
    ],
  )
    .requiredOption('--issuer <url>', 'address of the provider (OpenID Connect)')
    .requiredOption('--client-id <id>', 'id of the portal at the provider')
    .option('--no-passwords', 'refuse passwords and invitations of these users')
    .option(
      '--trust-emails',
      'accept e-mails without a claim that they are verified; only for a provider whose accounts all belong to the organization',
    )
    .addHelpText(
      'after',
      `\nReads the discovery document of the provider first. Before --no-passwords, somebody must sign in with the same settings.\n${describeSecret('ORGANIZATION')} All sessions of the users end.`,
    )
    .action((organization: string, options) =>
      cli.onOrganization(
        { ...options, organization },
        async (ctx) => {
          const clientId = parseInput(clientIdSchema, options.clientId, 'client-id');
          const { issuer, passwords, trustEmails = false } = options;
          const settings = await setOidc(ctx, { issuer, clientId, passwords, trustEmails });
          const { slug } = (await findById(ctx.db, ctx.organizationId))!;
          const { adminUrl } = cli.readConfig();
          const redirectUri = adminUrl === undefined ? null : redirectUriOf({ adminUrl });
          return {
            json: { organizationId: ctx.organizationId, ...settings, redirectUri },
            text: [
              `The users of ${organization} sign in at ${issuer}${passwords ? ', or with a password' : ''}.`,
              `Register this redirect URI there: ${redirectUri ?? 'none, because this portal has no administration pages'}`,
              describeSecret(slug),
            ].join('\n'),
          };
        },
        { action: 'setOidc', subject: organization },
      ),
    );

  addCommand(
    organizations,
    'remove-oidc <organization>',
    "let an organization's users sign in with passwords only",
    ['portal organizations remove-oidc acme'],
  ).action((organization: string, options) =>
    cli.onOrganization(
      { ...options, organization },
      async (ctx) => {
        await removeOidc(ctx);
        return {
          json: { organizationId: ctx.organizationId },
          text: `The users of ${organization} sign in with passwords only. Invite those who have none.`,
        };
      },
      { action: 'removeOidc', subject: organization },
    ),
  );
}

const describeSecret = (slug: string): string =>
  `If the provider gives the portal a client secret, set ${secretVariable(slug)} and restart the portal.`;

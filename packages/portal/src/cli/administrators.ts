import type { Command } from '@commander-js/extra-typings';

import { createInvitationUrl } from '../sign-in/invitation-url.ts';
import { inviteUser } from '../sign-in/service.ts';
import { addOrganizationCommand, type Cli } from './cli.ts';
import { emailSchema, nameSchema, parseInput } from './input.ts';

export function addAdministratorCommands(program: Command, cli: Cli): void {
  const administrators = program
    .command('administrators')
    .description('invite people to the administration portal');

  addOrganizationCommand(
    administrators,
    'invite <email>',
    'print a link that a user opens to set a password; it works once, within 24 hours',
    [
      'portal administrators invite ada@acme.example -o acme',
      'portal administrators invite ada@acme.example -o acme --name "Ada Lee"',
    ],
  )
    .option('--name <name>', 'name, if the person is not a user yet and becomes an administrator')
    .action((email: string, options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const name =
            options.name === undefined ? undefined : parseInput(nameSchema, options.name);
          const userEmail = parseInput(emailSchema, email, 'email');
          const { token } = await inviteUser(ctx, { email: userEmail, name });
          const url = createInvitationUrl(cli.readConfig(), token);
          return { json: { email: userEmail, url }, text: describeInvitation(userEmail, url) };
        },
        { action: 'inviteAdministrator', subject: email },
      ),
    );
}

export const describeInvitation = (email: string, url: string): string =>
  `Send this link to ${email}. It works once, within 24 hours:\n\n${url}\n`;

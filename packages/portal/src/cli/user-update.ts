import { Option, type Command } from '@commander-js/extra-typings';

import { userEndpoints } from '#admin/requests';

import type { Context } from '../actor/actor.ts';
import { PortalError } from '../errors.ts';
import { presentUser } from '../users/presenter.ts';
import { updateUser } from '../users/service.ts';
import { addOrganizationCommand, collect, type Cli } from './cli.ts';
import { findCompany } from './companies.ts';
import { addFieldOptions, readFieldOptions, type OwnFields } from './field-options.ts';
import { emailSchema, idSchema, parseInput } from './input.ts';
import { parseFuture } from './parsers.ts';
import { createRoleOption, roles, type RoleName } from './user-roles.ts';

const examples = [
  'portal users update ann@acme.example -o acme --role administrator',
  'portal users update ann@acme.example -o acme --expires 2027-01-31',
  'portal users update ann@acme.example -o acme --never-expires',
  'portal users update ann@acme.example -o acme --company North --company South',
  'portal users update ann@acme.example -o acme --landing-page 5f0c2c7e-6a51-4d0e-9d0a-2f6f3d5b7a11',
  'portal users update bo@acme.example -o acme --no-can-create-report',
];

const { version: _, ...fields } = userEndpoints.updateUser.body.shape;

const ownFields: OwnFields = {
  role: {
    options: [createRoleOption()],
    read: ({ role }) => (role === undefined ? undefined : roles[role as RoleName]),
  },
  expirationDate: {
    options: [
      new Option('--expires <moment>', "when the user's access expires").argParser(parseFuture),
      new Option('--never-expires', 'remove the expiration date').conflicts('expires'),
    ],
    read: ({ expires, neverExpires }) => (neverExpires ? null : expires),
  },
  companies: {
    options: [
      new Option(
        '--company <name>',
        'replaces the companies of the user; may be repeated',
      ).argParser(collect),
      new Option('--without-companies', 'remove all companies').conflicts('company'),
    ],
    read: ({ company, withoutCompanies }, ctx) =>
      withoutCompanies ? [] : company && findCompanies(ctx, company as string[]),
  },
  reportLandingPage: {
    options: [
      new Option('--landing-page <id>', 'id of the report with which the portal opens'),
      new Option('--without-landing-page', 'open the portal with all reports').conflicts(
        'landingPage',
      ),
    ],
    read: ({ landingPage, withoutLandingPage }) =>
      withoutLandingPage
        ? null
        : landingPage && parseInput(idSchema, landingPage, '--landing-page'),
  },
};

export function addUserUpdate(users: Command, cli: Cli): void {
  const command = addOrganizationCommand(
    users,
    'update <email>',
    'change the given fields of a user',
    examples,
  );
  addFieldOptions(command, fields, ownFields);
  command.action((email: string, options) =>
    cli.onOrganization(
      options,
      async (ctx) => {
        const userEmail = parseInput(emailSchema, email, 'email');
        const change = await readFieldOptions(ctx, fields, options, ownFields);
        if (Object.keys(change).length === 0)
          throw new PortalError(
            'invalid_request',
            'There is nothing to change. Add --name, --role, --department, --expires or another option; --help lists them.',
          );
        const user = presentUser(await updateUser(ctx, { userEmail, ...change }));
        return { json: user, text: `Updated the user ${user.email}.` };
      },
      { action: 'updateUser', subject: email },
    ),
  );
}

const findCompanies = async (ctx: Context, names: readonly string[]): Promise<string[]> =>
  Promise.all(names.map(async (name) => (await findCompany(ctx, name)).id));

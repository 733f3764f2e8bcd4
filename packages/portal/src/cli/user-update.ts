import { Option, type Command } from '@commander-js/extra-typings';

import type { Context } from '../actor/actor.ts';
import { PortalError } from '../errors.ts';
import { presentUser } from '../users/presenter.ts';
import { updateUser, type UserChange } from '../users/service.ts';
import { addOrganizationCommand, collect, type Cli } from './cli.ts';
import { findCompany } from './companies.ts';
import { departmentSchema, emailSchema, idSchema, nameSchema, parseInput } from './input.ts';
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

export function addUserUpdate(users: Command, cli: Cli): void {
  addOrganizationCommand(users, 'update <email>', 'change the given fields of a user', examples)
    .option('--name <name>', "the user's name")
    .addOption(createRoleOption())
    .option('--department <department>', "the user's department")
    .option('--expires <moment>', "when the user's access expires", parseFuture)
    .addOption(new Option('--never-expires', 'remove the expiration date').conflicts('expires'))
    .option('--company <name>', 'replaces the companies of the user; may be repeated', collect)
    .addOption(new Option('--without-companies', 'remove all companies').conflicts('company'))
    .option('--landing-page <id>', 'id of the report with which the portal opens')
    .addOption(
      new Option('--without-landing-page', 'open the portal with all reports').conflicts(
        'landingPage',
      ),
    )
    .option('--can-create-report', 'let a contributor create reports')
    .option('--no-can-create-report', 'do not let them')
    .option('--can-edit-report', 'let a contributor edit reports')
    .option('--no-can-edit-report', 'do not let them')
    .option('--can-overwrite-report', 'let a contributor import over an existing report')
    .option('--no-can-overwrite-report', 'do not let them')
    .action((email: string, options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const userEmail = parseInput(emailSchema, email, 'email');
          const change = await readChange(ctx, options);
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

interface Options {
  name?: string | undefined;
  role?: string | undefined;
  department?: string | undefined;
  expires?: Date | undefined;
  neverExpires?: true | undefined;
  company?: string[] | undefined;
  withoutCompanies?: true | undefined;
  landingPage?: string | undefined;
  withoutLandingPage?: true | undefined;
  canCreateReport?: boolean | undefined;
  canEditReport?: boolean | undefined;
  canOverwriteReport?: boolean | undefined;
}

/** The fields that the options name. */
async function readChange(ctx: Context, options: Options): Promise<UserChange> {
  const { name, role, department, expires, company, landingPage } = options;
  const { canCreateReport, canEditReport, canOverwriteReport } = options;
  const change = {
    name: name === undefined ? undefined : parseInput(nameSchema, name),
    role: role === undefined ? undefined : roles[role as RoleName],
    department: department === undefined ? undefined : parseInput(departmentSchema, department),
    expirationDate: options.neverExpires ? null : expires,
    companies: options.withoutCompanies ? [] : company && (await findCompanies(ctx, company)),
    reportLandingPage: options.withoutLandingPage
      ? null
      : landingPage && parseInput(idSchema, landingPage, '--landing-page'),
    canCreateReport,
    canEditReport,
    canOverwriteReport,
  };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

const findCompanies = async (ctx: Context, names: readonly string[]): Promise<string[]> =>
  Promise.all(names.map(async (name) => (await findCompany(ctx, name)).id));

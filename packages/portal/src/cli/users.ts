import type { Command } from '@commander-js/extra-typings';
import { endpoints } from '@portal-embed/contract';

import { linkReports, unlinkReports } from '../access/report-links.ts';
import { presentPage } from '../db/query/paging.ts';
import { presentUser } from '../users/presenter.ts';
import { createUser, deleteUser, listUsers } from '../users/service.ts';
import { addOrganizationCommand, type Cli } from './cli.ts';
import { addFieldOptions, readFieldOptions } from './field-options.ts';
import { parseInput } from './input.ts';
import { addPageOptions, formatPage } from './pages.ts';
import { createRoleOption, findRoleName, roles, type RoleName } from './user-roles.ts';
import { addUserUpdate } from './user-update.ts';

export function addUserCommands(program: Command, cli: Cli): void {
  const users = program.command('users').description('manage users');

  addPageOptions(
    addOrganizationCommand(users, 'list', 'list users, sorted by e-mail', [
      'portal users list -o acme',
      'portal users list -o acme --email @sales. --page 2',
    ]),
  )
    .option('--name <part>', 'only users whose name contains this text')
    .option('--email <part>', 'only users whose e-mail contains this text')
    .action((options) =>
      cli.onOrganization(options, async (ctx) => {
        const { name, email, page: pageNumber, pageSize } = options;
        const query = { name, email, pageNumber, pageSize };
        const input = parseInput(endpoints.listUsers.query, query);
        const page = presentPage(await listUsers(ctx, input), presentUser);
        return {
          json: page,
          text: formatPage(
            page,
            'No users found.',
            ['E-MAIL', 'NAME', 'ROLE', 'REPORTS'],
            (user) => [user.email, user.name, findRoleName(user.role), user.reports.length],
          ),
        };
      }),
    );

  const create = addOrganizationCommand(users, 'create <email>', 'create a user', [
    'portal users create ann@acme.example -o acme --name "Ann Lee"',
    'portal users create bo@acme.example -o acme --name Bo --role contributor',
  ])
    .requiredOption('--name <name>', "the user's name")
    .addOption(createRoleOption().default('viewer'));
  const { email: _email, name: _name, role: _role, ...others } = endpoints.createUser.body.shape;
  addFieldOptions(create, others);
  create.action((email: string, options) =>
    cli.onOrganization(
      options,
      async (ctx) => {
        const role = roles[options.role as RoleName];
        const fields = await readFieldOptions(ctx, others, options);
        const request = { email, name: options.name, role, ...fields };
        const user = presentUser(
          await createUser(ctx, parseInput(endpoints.createUser.body, request)),
        );
        return { json: user, text: `Created the user ${user.email} (${user.id}).` };
      },
      { action: 'createUser', subject: email },
    ),
  );

  addUserUpdate(users, cli);

  addOrganizationCommand(
    users,
    'delete <email>',
    'delete a user with their links, sessions and unused URLs; the access log stays',
    ['portal users delete ann@acme.example -o acme'],
  ).action((email: string, options) =>
    cli.onOrganization(
      options,
      async (ctx) => {
        const input = parseInput(endpoints.deleteUser.params, { userEmail: email });
        await deleteUser(ctx, input);
        return { json: { email }, text: `Deleted the user ${email}.` };
      },
      { action: 'deleteUser', subject: email },
    ),
  );

  for (const { command, action, change, description, done } of [
    {
      command: 'link-reports',
      action: 'linkReports',
      change: linkReports,
      description: 'let a user open reports',
      done: 'may open',
    },
    {
      command: 'unlink-reports',
      action: 'unlinkReports',
      change: unlinkReports,
      description: "remove a user's direct links to reports; access through groups stays",
      done: 'has no direct link to',
    },
  ] as const)
    addOrganizationCommand(users, `${command} <email> <reports...>`, description, [
      `portal users ${command} ann@acme.example 5f0c2c7e-6a51-4d0e-9d0a-2f6f3d5b7a11 -o acme`,
    ]).action((userEmail: string, reports: string[], options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const input = parseInput(endpoints.linkReports.body, { userEmail, reports });
          await change(ctx, input);
          return { json: input, text: `${userEmail} ${done} ${reports.join(', ')}.` };
        },
        { action, subject: userEmail },
      ),
    );
}

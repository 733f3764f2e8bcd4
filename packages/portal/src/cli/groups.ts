import type { Command } from '@commander-js/extra-typings';

import { createGroup } from '../access/create-group.ts';
import { linkGroupReports, unlinkGroupReports } from '../access/report-links.ts';
import { addMembers, listGroups, removeMembers } from '../groups/service.ts';
import { addOrganizationCommand, collect, type Cli } from './cli.ts';
import { emailsSchema, idsSchema, nameSchema, parseInput } from './input.ts';
import { formatTable } from './output.ts';

const sampleReport = '5f0c2c7e-6a51-4d0e-9d0a-2f6f3d5b7a11';

export function addGroupCommands(program: Command, cli: Cli): void {
  const groups = program
    .command('groups')
    .description('manage groups of users and the reports that their members may open');

  addOrganizationCommand(groups, 'create <name>', 'create a group', [
    'portal groups create Leads -o acme --member ann@acme.example --member bo@acme.example',
    `portal groups create Leads -o acme --report ${sampleReport}`,
  ])
    .option('--member <email>', 'e-mail of a member; may be repeated', collect)
    .option('--report <id>', 'id of a report that all members may open; may be repeated', collect)
    .action((name: string, options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const input = {
            name: parseInput(nameSchema, name),
            memberEmails: parseInput(emailsSchema, options.member ?? []),
            reports: parseInput(idsSchema, options.report ?? []),
          };
          const id = await createGroup(ctx, input);
          return { json: { id, ...input }, text: `Created the group ${name} (${id}).` };
        },
        { action: 'createGroup', subject: name },
      ),
    );

  addOrganizationCommand(groups, 'list', 'list the groups', ['portal groups list -o acme']).action(
    (options) =>
      cli.onOrganization(options, async (ctx) => {
        const rows = await listGroups(ctx);
        const cells = rows.map((row) => [row.name, row.id, row.members, row.reports]);
        const columns = ['NAME', 'ID', 'MEMBERS', 'REPORTS'];
        return { json: rows, text: formatTable(columns, cells, 'There are no groups yet.') };
      }),
  );

  for (const { command, action, change, description, done } of [
    {
      command: 'add',
      action: 'addGroupMembers',
      change: addMembers,
      description: 'add users to a group',
      done: 'now has the members',
    },
    {
      command: 'remove',
      action: 'removeGroupMembers',
      change: removeMembers,
      description: 'remove users from a group',
      done: 'no longer has',
    },
  ] as const)
    addOrganizationCommand(groups, `${command} <group> <emails...>`, description, [
      `portal groups ${command} Leads ann@acme.example bo@acme.example -o acme`,
    ]).action((group: string, emails: string[], options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const memberEmails = parseInput(emailsSchema, emails);
          await change(ctx, { group, memberEmails });
          return { json: { group, memberEmails }, text: `${group} ${done} ${emails.join(', ')}.` };
        },
        { action, subject: group },
      ),
    );

  for (const { command, action, change, description, done } of [
    {
      command: 'link-reports',
      action: 'linkGroupReports',
      change: linkGroupReports,
      description: "let a group's members open reports",
      done: 'may open',
    },
    {
      command: 'unlink-reports',
      action: 'unlinkGroupReports',
      change: unlinkGroupReports,
      description: "remove a group's links to reports",
      done: 'has no link to',
    },
  ] as const)
    addOrganizationCommand(groups, `${command} <group> <reports...>`, description, [
      `portal groups ${command} Leads ${sampleReport} -o acme`,
    ]).action((group: string, ids: string[], options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const reports = parseInput(idsSchema, ids);
          await change(ctx, { group, reports });
          return { json: { group, reports }, text: `${group} ${done} ${ids.join(', ')}.` };
        },
        { action, subject: group },
      ),
    );
}

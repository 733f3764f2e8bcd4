import type { Command } from '@commander-js/extra-typings';
import { endpoints } from '@portal-embed/contract';

import { presentRole } from '../access/presenter.ts';
import { linkGroups, linkUsers, unlinkGroups, unlinkUsers } from '../access/role-links.ts';
import { listRoleDatasets, listRoles, nameDataset, requireDataset } from '../access/roles.ts';
import { presentPage } from '../db/query/paging.ts';
import { findGroupIds } from '../groups/service.ts';
import { addOrganizationCommand, type Cli } from './cli.ts';
import { parseInput } from './input.ts';
import { addPageOptions, formatPage } from './pages.ts';

export function addRoleCommands(program: Command, cli: Cli): void {
  const roles = program
    .command('roles')
    .description('manage who holds the row-level-security roles of datasets');

  addPageOptions(
    addOrganizationCommand(
      roles,
      'list',
      'list the roles and how many users and groups hold them',
      ['portal roles list -o acme', 'portal roles list -o acme --dataset orders --json'],
    ),
  )
    .option('--dataset <slug>', 'only roles of this dataset; its slug or its id')
    .action((options) =>
      cli.onOrganization(options, async (ctx) => {
        const { dataset, page: pageNumber, pageSize } = options;
        const datasetId = dataset === undefined ? undefined : await requireDataset(ctx, dataset);
        const input = { datasetId, pageNumber, pageSize };
        const listed = await listRoles(ctx, parseInput(endpoints.listRlsRoles.query, input));
        const datasets = await listRoleDatasets(ctx);
        const names = new Map(datasets.map((each) => [each.id, nameDataset(each)]));
        const page = presentPage(listed, presentRole);
        const columns = ['DATASET', 'ROLE', 'USERS', 'GROUPS'];
        return {
          json: page,
          text: formatPage(page, 'No roles found.', columns, (role) => [
            names.get(role.datasetId) ?? role.datasetId,
            role.name,
            role.users.length,
            role.groups.length,
          ]),
        };
      }),
    );

  for (const { command, action, change, description, done } of [
    {
      command: 'link-users',
      action: 'linkRlsUsers',
      change: linkUsers,
      description: 'give users a role',
      done: 'was given to',
    },
    {
      command: 'unlink-users',
      action: 'unlinkRlsUsers',
      change: unlinkUsers,
      description: "remove users' own links to a role; they may still hold it by a group",
      done: 'has no link to',
    },
  ] as const)
    addOrganizationCommand(roles, `${command} <dataset> <role> <emails...>`, description, [
      `portal roles ${command} orders West ann@acme.example bo@acme.example -o acme`,
    ]).action((dataset: string, role: string, emails: string[], options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const datasetId = await requireDataset(ctx, dataset);
          const links = { datasetId, role, usersEmails: emails };
          const input = parseInput(endpoints.linkRlsUsers.body, links);
          await change(ctx, input);
          return { json: input, text: `The role ${role} ${done} ${emails.join(', ')}.` };
        },
        { action, subject: role },
      ),
    );

  for (const { command, action, change, description, done } of [
    {
      command: 'link-groups',
      action: 'linkRlsGroups',
      change: linkGroups,
      description: 'give the members of groups a role',
      done: 'was given to',
    },
    {
      command: 'unlink-groups',
      action: 'unlinkRlsGroups',
      change: unlinkGroups,
      description: "remove groups' links to a role",
      done: 'has no link to',
    },
  ] as const)
    addOrganizationCommand(roles, `${command} <dataset> <role> <groups...>`, description, [
      `portal roles ${command} orders West Leads -o acme`,
    ]).action((dataset: string, role: string, names: string[], options) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          const datasetId = await requireDataset(ctx, dataset);
          const links = { datasetId, role, groups: await findGroupIds(ctx, names) };
          const input = parseInput(endpoints.linkRlsGroups.body, links);
          await change(ctx, input);
          return { json: input, text: `The role ${role} ${done} ${names.join(', ')}.` };
        },
        { action, subject: role },
      ),
    );
}

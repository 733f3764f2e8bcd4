import type { Command } from '@commander-js/extra-typings';

import type { Context } from '../actor/actor.ts';
import {
  createCompany,
  deleteCompany,
  listCompanies,
  renameCompany,
} from '../companies/service.ts';
import { PortalError } from '../errors.ts';
import { addOrganizationCommand, type Cli } from './cli.ts';
import { nameSchema, parseInput } from './input.ts';
import { formatTable } from './output.ts';

/** @throws `company_not_found` */
export async function findCompany(ctx: Context, name: string): Promise<{ id: string }> {
  const found = (await listCompanies(ctx)).find((company) => company.name === name);
  if (found) return found;
  throw new PortalError('company_not_found', `This organization has no company "${name}".`, {
    advice: 'List them with `portal companies list`.',
  });
}

export function addCompanyCommands(program: Command, cli: Cli): void {
  const companies = program
    .command('companies')
    .description('manage companies, which label users; `users update --company` gives them');

  addOrganizationCommand(companies, 'list', 'list the companies', [
    'portal companies list -o acme',
  ]).action((options) =>
    cli.onOrganization(options, async (ctx) => {
      const rows = await listCompanies(ctx);
      const cells = rows.map(({ name, id, users }) => [name, id, users]);
      const text = formatTable(['NAME', 'ID', 'USERS'], cells, 'There are no companies yet.');
      return { json: rows, text };
    }),
  );

  addOrganizationCommand(companies, 'create <name>', 'create a company', [
    'portal companies create North -o acme',
  ]).action((given: string, options) =>
    cli.onOrganization(
      options,
      async (ctx) => {
        const name = parseInput(nameSchema, given);
        const id = await createCompany(ctx, name);
        return { json: { id, name }, text: `Created the company ${name} (${id}).` };
      },
      { action: 'createCompany', subject: given },
    ),
  );

  addOrganizationCommand(companies, 'rename <company> <name>', 'rename a company', [
    'portal companies rename North "North and East" -o acme',
  ]).action((company: string, given: string, options) =>
    cli.onOrganization(
      options,
      async (ctx) => {
        const name = parseInput(nameSchema, given);
        const { id } = await findCompany(ctx, company);
        await renameCompany(ctx, { id, name, baseName: company });
        return { json: { id, name }, text: `Renamed the company ${company} to ${name}.` };
      },
      { action: 'renameCompany', subject: company },
    ),
  );

  addOrganizationCommand(companies, 'delete <company>', 'delete a company; its users stay', [
    'portal companies delete North -o acme',
  ]).action((company: string, options) =>
    cli.onOrganization(
      options,
      async (ctx) => {
        const { id } = await findCompany(ctx, company);
        await deleteCompany(ctx, id);
        return { json: { id, name: company }, text: `Deleted the company ${company}.` };
      },
      { action: 'deleteCompany', subject: company },
    ),
  );
}

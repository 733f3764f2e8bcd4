import { randomUUID } from 'node:crypto';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { deleteNamed, insertNamed, renameNamed } from '../db/query/named-rows.ts';
import { PortalError } from '../errors.ts';
import * as store from './store.ts';

export function listCompanies(ctx: Context): Promise<store.CompanyRow[]> {
  requireAdministrator(ctx);
  return store.listCompanies(ctx.db, ctx.organizationId);
}

/** @throws `company_exists` */
export async function createCompany(ctx: Context, name: string): Promise<string> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const id = randomUUID();
  const activity = { action: 'createCompany', subject: name, details: { id } } as const;
  await recordChange(ctx, activity, async (transaction) => {
    if (!(await insertNamed(transaction, 'companies', { organizationId, id, name })))
      throw companyExists(name);
  });
  return id;
}

/** @throws `company_not_found`; `company_exists`; `stale_version` if the name is not `baseName` */
export async function renameCompany(
  ctx: Context,
  input: { id: string; name: string; baseName: string },
): Promise<void> {
  requireAdministrator(ctx);
  const { id, name, baseName } = input;
  const activity = { action: 'renameCompany', subject: baseName, details: { id, name } } as const;
  const company = { ...input, organizationId: ctx.organizationId };
  const errors = { taken: () => companyExists(name), unknown: unknownCompany };
  await recordChange(ctx, activity, (transaction) =>
    renameNamed(transaction, 'companies', company, errors),
  );
}

/** Deletes a company. Its users stay, without it. */
export async function deleteCompany(ctx: Context, id: string): Promise<void> {
  requireAdministrator(ctx);
  const { organizationId } = ctx;
  const activity = { action: 'deleteCompany' as const, subject: id };
  await recordChange(ctx, activity, async (transaction) => {
    const name = await deleteNamed(transaction, 'companies', { organizationId, id });
    if (name === undefined) throw unknownCompany();
    activity.subject = name;
  });
}

const companyExists = (name: string) =>
  new PortalError('company_exists', `The company "${name}" exists already. Choose another name.`);

const unknownCompany = () =>
  new PortalError(
    'company_not_found',
    'This organization has no such company. List all companies.',
  );

import { endpoints } from '@portal-embed/contract';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';
import { renaming } from './groups.ts';
import type { Named } from './lists.ts';

export interface ListedCompany extends Named {
  users: number;
}

const companies = '/organizations/{organizationId}/companies';
const company = `${companies}/{companyId}` as const;
const { name } = endpoints.createUser.body.shape;

export const companyEndpoints = {
  listCompanies: { method: 'GET', path: companies, access: 'administrator' },
  createCompany: {
    method: 'POST',
    path: companies,
    access: 'administrator',
    body: z.strictObject({ name }),
  },
  renameCompany: { method: 'PUT', path: company, access: 'administrator', body: renaming },
  deleteCompany: { method: 'DELETE', path: company, access: 'administrator' },
} as const satisfies Record<string, AdminEndpoint>;

export interface CompanyAnswers {
  listCompanies: { companies: ListedCompany[] };
  createCompany: { id: string };
  renameCompany: object;
  deleteCompany: object;
}

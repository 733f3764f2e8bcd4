import {
  createCompany,
  deleteCompany,
  listCompanies,
  renameCompany,
} from '../companies/service.ts';
import type { AdminHandlers } from './mount.ts';

export const companyAdminRoutes = {
  listCompanies: async ({ ctx }) => ({ companies: await listCompanies(ctx) }),
  createCompany: async ({ ctx }, { name }) => ({ id: await createCompany(ctx, name) }),
  renameCompany: async ({ ctx }, { companyId, name, baseName }) => {
    await renameCompany(ctx, { id: companyId, name, baseName });
    return {};
  },
  deleteCompany: async ({ ctx }, { companyId }) => {
    await deleteCompany(ctx, companyId);
    return {};
  },
} satisfies Partial<AdminHandlers>;

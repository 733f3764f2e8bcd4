import * as service from '../catalogue/workspaces.ts';
import type { AdminHandlers } from './mount.ts';

export const workspaceAdminRoutes = {
  listWorkspaces: async ({ ctx }) => ({ workspaces: await service.listWorkspaces(ctx) }),
  createWorkspace: async ({ ctx }, { name }) => ({ id: await service.createWorkspace(ctx, name) }),
  deleteWorkspace: async ({ ctx }, { workspaceId }) => {
    await service.deleteWorkspace(ctx, workspaceId);
    return {};
  },
  changeContributor: async ({ ctx }, input) => {
    await service.changeContributor(ctx, input);
    return {};
  },
} satisfies Partial<AdminHandlers>;

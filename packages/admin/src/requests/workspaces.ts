import { idSchema } from '@portal-embed/contract';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';
import { line, type Named } from './lists.ts';

export interface AdminWorkspace extends Named {
  reports: number;
  /** Users with role 4 who arrange its reports. Only for administrators; empty for others. */
  contributors: (Named & { email: string; isActive: boolean })[];
}

const workspaces = '/organizations/{organizationId}/workspaces';

export const workspaceEndpoints = {
  listWorkspaces: { method: 'GET', path: workspaces, access: 'signed-in' },
  createWorkspace: {
    method: 'POST',
    path: workspaces,
    access: 'administrator',
    body: z.strictObject({ name: line(200) }),
  },
  deleteWorkspace: {
    method: 'DELETE',
    path: `${workspaces}/{workspaceId}`,
    access: 'administrator',
  },
  changeContributor: {
    method: 'PUT',
    path: `${workspaces}/{workspaceId}/contributors`,
    access: 'administrator',
    body: z.strictObject({ userId: idSchema, isLinked: z.boolean() }),
  },
} as const satisfies Record<string, AdminEndpoint>;

export interface WorkspaceAnswers {
  listWorkspaces: { workspaces: AdminWorkspace[] };
  createWorkspace: { id: string };
  deleteWorkspace: object;
  changeContributor: object;
}

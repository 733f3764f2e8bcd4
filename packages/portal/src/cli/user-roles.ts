import { Option } from '@commander-js/extra-typings';
import { userRoles } from '@portal-embed/contract';

export type RoleName = keyof typeof roles;

export const roles = {
  administrator: userRoles.administrator,
  contributor: userRoles.contributor,
  viewer: userRoles.viewer,
  'workspace-contributor': userRoles.workspaceContributor,
};

export const createRoleOption = () =>
  new Option('--role <role>', 'role of the user').choices(Object.keys(roles));

export const findRoleName = (role: number) =>
  Object.entries(roles).find(([, number]) => number === role)?.[0] ?? String(role);

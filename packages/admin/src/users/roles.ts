import type { AdminMessageKey } from '../messages/messages.ts';

/** Roles of users, in the order in which pages list them. */
export const roleLabels: Readonly<Record<number, AdminMessageKey>> = {
  1: 'role.administrator',
  2: 'role.contributor',
  4: 'role.workspace_contributor',
  3: 'role.viewer',
};

const order = [3, 2, 4, 1];

/** Choices of a role field. */
export const listRoleChoices = (formatMessage: (key: AdminMessageKey) => string) =>
  order.map((role) => ({ value: String(role), label: formatMessage(roleLabels[role]!) }));

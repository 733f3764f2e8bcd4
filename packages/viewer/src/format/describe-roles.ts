import type { RoleText } from '@portal-embed/report-model';

import type { Formats } from './create-formats.ts';
import { describeRole } from './describe-role.ts';

/**
 * Says in words which rows roles allow, in a line for each. Roles for values of one field are one line, and a
 * role for all rows makes the others superfluous.
 */
export function describeRoles(roles: readonly RoleText[], formats: Formats): string[] {
  const all = roles.find(({ kind }) => kind === 'all');
  if (all) return [describeRole(all, formats)];
  const lines = new Map<string, RoleText>();
  for (const role of roles) {
    const key = keyOf(role);
    const same = lines.get(key);
    lines.set(key, same?.kind === 'values' && role.kind === 'values' ? join(same, role) : role);
  }
  return [...lines.values()].map((role) => describeRole(role, formats));
}

type ValuesText = Extract<RoleText, { kind: 'values' }>;

/** Roles with the same key are one line. Values beyond those of the text could be the same ones. */
const keyOf = (role: RoleText) =>
  role.kind === 'values' && role.values.length === role.count
    ? `${role.field} ${role.type}`
    : JSON.stringify(role);

function join(one: ValuesText, other: ValuesText): ValuesText {
  const values = [...new Set([...one.values, ...other.values])];
  return { ...one, values, count: values.length };
}

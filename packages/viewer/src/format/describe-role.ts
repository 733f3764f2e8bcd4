import type { RoleText, ViewerAttribute } from '@portal-embed/report-model';
import type { MessageKey } from 'page-kit/messages/catalogue';

import type { Formats } from './create-formats.ts';
import { nameReaderFilter } from './list-filters.ts';

const attributes: Record<ViewerAttribute, MessageKey> = {
  email: 'why.role.email',
  department: 'why.role.department',
  groups: 'why.role.groups',
  companies: 'why.role.companies',
};

const isNested = (part: RoleText) =>
  (part.kind === 'and' || part.kind === 'or') && part.parts.length > 1;

/** Says in words which rows a role allows. */
export function describeRole(role: RoleText, formats: Formats): string {
  const { formatMessage, formatEither, formatEvery } = formats;
  const describePart = (part: RoleText) => {
    const text = describeRole(part, formats);
    return isNested(part) ? `(${text})` : text;
  };
  const entry = (column: string, values: string) =>
    formatMessage('filters.entry', { column, values });
  switch (role.kind) {
    case 'all':
      return formatMessage('why.role.all');
    case 'and':
      return formatEvery(role.parts.map(describePart));
    case 'or':
      return formatEither(role.parts.map(describePart));
    case 'not':
      return formatMessage('why.role.not', { condition: describeRole(role.part, formats) });
    case 'values': {
      const { field, type, values, count } = role;
      const named = nameReaderFilter({ field, type, values }, formats).values;
      const name = values.length === 0 ? 'why.role.values' : 'why.role.more';
      const others = formatMessage(name, { count: count - values.length });
      return entry(field, formatEither(count > values.length ? [...named, others] : named));
    }
    case 'range':
      return entry(role.field, formats.formatFilterValue(`${role.from ?? ''}..${role.to ?? ''}`));
    case 'before':
    case 'after': {
      const value = formats.formatFilterValue(role.value);
      return entry(role.field, formatMessage(`why.role.${role.kind}`, { value }));
    }
    case 'blank': {
      const { field } = role;
      return entry(
        field,
        formatEither(nameReaderFilter({ field, type: 'text', values: [null] }, formats).values),
      );
    }
    case 'viewer':
      return entry(role.field, formatMessage(attributes[role.attribute]));
    case 'look-up':
      return formatMessage(role.levels ? 'why.role.levels' : 'why.role.look_up', {
        columns: formatEvery(role.fields),
        dataset: role.dataset,
      });
    default:
      return forbid(role);
  }
}

const forbid = (role: never): never => {
  throw new Error(`Unknown role ${JSON.stringify(role)}.`);
};

import { endpoints } from '@portal-embed/contract';
import { expect, it } from 'vitest';

import { hostRules } from '../host/rules/index.ts';
import { fields } from '../portal/rules/fields.ts';
import { portalRules } from '../portal/rules/index.ts';
import { hostSpecification, listPoints, specification } from './specification.ts';

const kits = [
  { kit: 'portals', points: listPoints(specification), rules: portalRules },
  { kit: 'host endpoints', points: listPoints(hostSpecification), rules: hostRules },
];

it.each(kits)('the rules for $kit cover every point of the specification', ({ points, rules }) => {
  const covered = new Set<string>(rules.flatMap(({ covers }) => [...covers]));
  expect(points.filter((point) => !covered.has(point))).toEqual([]);
});

it.each(kits)('each rule for $kit has an id of its own', ({ rules }) => {
  const ids = rules.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
});

it('the fields of the rules are those of the contract', () => {
  const { listUsers, listReports, listRlsRoles, listAuditEntries } = endpoints;
  const lists = {
    users: listUsers,
    reports: listReports,
    roles: listRlsRoles,
    audit: listAuditEntries,
  };
  for (const [list, { response }] of Object.entries(lists))
    expect(Object.keys(fields[list as keyof typeof fields])).toEqual(
      Object.keys(response.shape.data.element.shape),
    );
});

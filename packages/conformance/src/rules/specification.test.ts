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

it('the rules are those of the list', async () => {
  const lines = kits.flatMap(({ kit, rules }) => [
    `# ${kit}`,
    ...rules.map(({ id, covers }) => `${id}: ${covers.join(', ')}`),
    '',
  ]);
  await expect(lines.join('\n')).toMatchFileSnapshot('../../rules.txt');
});

it('every endpoint of the specification is a point', () => {
  const { users, reports, roles, audit } = specification;
  const texts = [users, reports, roles, audit].flatMap(({ points }) => Object.values(points));
  const named = texts.flatMap((text) => /^Endpoint (\d+) /.exec(text)?.[1] ?? []).map(Number);
  // All points of identity URLs are about endpoint 13.
  const numbers = Object.values(endpoints).flatMap(({ number }) => number ?? []);
  expect([...named, 13].toSorted((a, b) => a - b)).toEqual(numbers);
});

it('every field of the request for an identity URL is a point', () => {
  const { points } = specification.identity;
  const texts = Object.values(points).join(' ');
  const names = Object.keys(endpoints.mintIdentityUrl.body.shape);
  expect(names.filter((name) => !texts.includes(name))).toEqual([]);
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

import { describe, expect, it } from 'vitest';

import { endpoints, timestampSchema } from '../index.ts';

describe('a timestamp', () => {
  it.each([
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-01-31T09:00Z', '2026-01-31T09:00:00.000Z'],
    ['2026-01-31T09:00:00.5+02:00', '2026-01-31T07:00:00.500Z'],
  ])('the timestamp %s is parsed as %s', (text, moment) => {
    expect(timestampSchema.parse(text)).toBe(moment);
    const { from, to } = endpoints.listAuditEntries.query.parse({ from: text, to: text });
    expect([from, to]).toEqual([moment, moment]);
  });

  it.each([
    '',
    '2026',
    '2026-01',
    '2026-02-29',
    '2026-04-31T09:00Z',
    '2026-13-01',
    '2026-01-31T09:00:00',
    '2026-01-01Z',
    ' 2026-01-01',
    '2026-1-1',
    1_767_225_600_000,
  ])('the timestamp %j is refused', (text) => {
    expect(timestampSchema.safeParse(text).error?.issues).toMatchObject([
      { message: 'must be an ISO 8601 date, or a date and time with a time zone' },
    ]);
  });
});

it.each([
  [0, false],
  [1, true],
  [4, true],
  [5, false],
  [1.5, false],
])('a new user of role %d is accepted: %s', (role, isAccepted) => {
  const user = { email: 'west@acme.example', name: 'West', role };
  expect(endpoints.createUser.body.safeParse(user).success).toBe(isAccepted);
});

import { expect, it } from 'vitest';

import { fromLocalTime, toLocalTime } from './local-time.ts';

it.each([
  ['Europe/Lisbon', '2026-07-01T12:00', '2026-07-01T11:00:00.000Z'],
  ['Europe/Lisbon', '2026-12-31T23:59', '2026-12-31T23:59:00.000Z'],
  ['America/Sao_Paulo', '2026-11-24T21:30', '2026-11-25T00:30:00.000Z'],
  ['Asia/Kathmandu', '2026-11-24T00:00', '2026-11-23T18:15:00.000Z'],
  // Clocks go forward at 1:00 and back at 2:00.
  ['Europe/Lisbon', '2026-03-29T00:59', '2026-03-29T00:59:00.000Z'],
  ['Europe/Lisbon', '2026-03-29T02:00', '2026-03-29T01:00:00.000Z'],
  ['Europe/Lisbon', '2026-10-25T02:00', '2026-10-25T02:00:00.000Z'],
  ['America/New_York', '2026-03-08T04:00', '2026-03-08T08:00:00.000Z'],
])('in %s, %s is %s, and back', (timeZone, local, iso) => {
  expect(fromLocalTime(local, timeZone).toISOString()).toBe(iso);
  expect(toLocalTime(new Date(iso), timeZone)).toBe(local);
});

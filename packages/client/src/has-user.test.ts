import { jsonAnswer, pageOfUser } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import { client, portal, startPortalForEachTest } from '../test/stage.ts';
import { hasUser } from './index.ts';

startPortalForEachTest();

describe('hasUser', () => {
  it.each([
    ['west@acme.example', 'west@acme.example', true],
    ['West@ACME.example', 'west@acme.example', true],
    ['west@acme.example', 'WEST@acme.EXAMPLE', true],
    ['JÜRGEN@acme.example'.normalize('NFD'), 'jürgen@acme.example', true],
    // The portal's filter matches a substring of the e-mail.
    ['west@acme.example', 'north-west@acme.example', false],
    ['west@acme.example', 'west@acme.example.org', false],
  ])('hasUser(%s) with %s in the list is %s', async (email, found, isKnown) => {
    portal.answer(jsonAnswer(200, pageOfUser(found)));
    expect(await hasUser(client, email)).toBe(isKnown);
    const { searchParams } = new URL(portal.received[0]!.url, portal.url);
    expect(searchParams.get('email')).toBe(email);
  });
});

import { inspect } from 'node:util';

import axios from 'axios';
import { jsonAnswer, startFakePortal } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import {
  apiKey,
  client,
  catchError,
  portal,
  startPortalForEachTest,
  userEmail,
} from '../test/stage.ts';
import { createPortalClient } from './index.ts';

startPortalForEachTest();

describe('the API key', () => {
  it('inspecting or serializing the client does not show the API key', () => {
    for (const shown of [inspect(client, { depth: 20, showHidden: true }), JSON.stringify(client)])
      expect(shown).not.toContain(apiKey);
  });

  it.each([
    ['the built-in transport', undefined],
    ['an injected axios', axios.create()],
    ['an injected axios on fetch', axios.create({ adapter: 'fetch' })],
  ])(
    'the client does not send the API key to the target of a redirect: %s',
    async (_, instance) => {
      await using other = await startFakePortal();
      const own = createPortalClient({ apiUrl: portal.url, apiKey, axios: instance });
      for (const status of [301, 302, 303, 307, 308]) {
        portal.answer(jsonAnswer(status, undefined, { Location: other.url }));
        const error = await catchError(own.identity.mintUrl({ userEmail }));
        expect(error).toMatchObject({ code: 'portal_redirected', status });
      }
      expect(other.received).toHaveLength(0);
      await own.close();
    },
  );
});

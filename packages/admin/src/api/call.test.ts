import { expect, it, onTestFinished, vi } from 'vitest';

import { call } from './call.ts';

function stubFetch(answer: (init: RequestInit) => Promise<Response>) {
  const sent: { address: string; init: RequestInit }[] = [];
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    sent.push({ address, init });
    return answer(init);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return sent;
}

it('a file is the body of its upload, and its name is in the query', async () => {
  const sent = stubFetch(async () => Response.json({}));
  const upload = new File(['Region,Sales'], 'orders & more.csv');
  await call('uploadDataFile', { organizationId: 'o1', fileName: upload.name, upload });
  const [{ address, init }] = sent as [(typeof sent)[0]];
  expect(address).toMatch(/\?fileName=orders\+%26\+more\.csv$/);
  expect(init.body).toBe(upload);
});

it('a request ends when its page no longer needs it', async () => {
  stubFetch(
    ({ signal }) =>
      new Promise((_, reject) =>
        signal!.addEventListener('abort', () => reject(new Error('cancelled'))),
      ),
  );
  const controller = new AbortController();
  const cancelled = call('readIdentity', {}, controller.signal);
  controller.abort();
  await expect(cancelled).rejects.toThrow('cancelled');
});

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

it('the progress of a request arrives before its answer', async () => {
  const lines = [
    { progress: { phase: 'read', percent: 40 } },
    { progress: { phase: 'write', percent: 5 } },
    { answer: { datasetId: 'd1', reportId: null } },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  stubFetch(async () => {
    // A line can arrive in two parts.
    const parts = [text.slice(0, 60), text.slice(60)].map((part) => new TextEncoder().encode(part));
    const body = new ReadableStream({
      start(stream) {
        for (const part of parts) stream.enqueue(part);
        stream.close();
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } });
  });
  const seen: unknown[] = [];
  const request = { organizationId: 'o1', uploadId: 'u1', name: 'N', workspace: 'W' };
  const answer = await call('importDataFile', request, undefined, (each) => seen.push(each));
  expect(answer).toEqual({ datasetId: 'd1', reportId: null });
  expect(seen).toEqual(lines.slice(0, 2).map(({ progress }) => progress));
});

it('a request that fails after its progress has the problem as its error, and one that breaks off is unreachable', async () => {
  const request = { organizationId: 'o1', uploadId: 'u1', name: 'N', workspace: 'W' };
  const answer = (text: string) => {
    stubFetch(
      async () => new Response(text, { headers: { 'Content-Type': 'application/x-ndjson' } }),
    );
    return call('importDataFile', request);
  };
  const progress = `${JSON.stringify({ progress: { phase: 'read', percent: 1 } })}\n`;
  const problem = { code: 'invalid_content', detail: 'Line 3 is too long.' };
  await expect(answer(`${progress}${JSON.stringify({ problem })}\n`)).rejects.toMatchObject(
    problem,
  );
  await expect(answer(progress)).rejects.toMatchObject({ code: 'unreachable' });
});

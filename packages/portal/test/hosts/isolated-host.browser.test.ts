import { describe, expect, it } from 'vitest';

import { setUpFrameHost } from '../support/frame-host.ts';

describe.each(['require-corp', 'credentialless'])(
  'a host with the embedder policy %s',
  (policy) => {
    const { read, frame, load, mintFor, openReport, stage } = setUpFrameHost({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': policy,
    });

    it(`a host with the embedder policy ${policy} shows a report in the shell`, async () => {
      expect(await read('crossOriginIsolated && new SharedArrayBuffer(8).byteLength')).toBe(8);
      await load();
      await openReport(1, 'west');
      await frame().getByText('$30').waitFor();
    });

    it(`a host with the embedder policy ${policy} shows a URL, and the notice of a used one`, async () => {
      const url = await mintFor('west');
      await load(url);
      await frame().getByText('$30').waitFor();
      await stage.page.goto(stage.hostOrigin);
      await load(url);
      await frame().getByText('$30').waitFor({ state: 'hidden' });
      expect(await frame().getByRole('heading', { level: 1 }).count()).toBe(1);
    });
  },
);

import { expect, it, onTestFinished, vi } from 'vitest';

import { createAuthorLimit } from './author-limit.ts';

const author = { organizationId: 'acme', userId: 'ada' };

it('the authors of an organization share three times the limit of one, and another organization does not', async () => {
  const limitAuthors = createAuthorLimit(1);
  for (const userId of ['ada', 'ben', 'cora']) await limitAuthors({ ...author, userId });
  const refused = limitAuthors({ ...author, userId: 'dora' });
  await expect(refused).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(
      /^Your organization has made all 3 checks, .* allowed in 60 seconds\. Try again in 60 s\.$/,
    ),
    retryAfter: 60,
  });
  await limitAuthors({ organizationId: 'globex', userId: 'dora' });
});

it('the refused checks of one author do not count toward the limit of their organization', async () => {
  const limitAuthors = createAuthorLimit(1);
  await limitAuthors(author);
  for (let n = 0; n < 3; n += 1)
    await expect(limitAuthors(author)).rejects.toThrow('You have made all 1 checks');
  for (const userId of ['ben', 'cora']) await limitAuthors({ ...author, userId });
});

it('users of two organizations with the same ID have limits of their own', async () => {
  const limitAuthors = createAuthorLimit(1);
  await limitAuthors(author);
  expect(await limitAuthors({ ...author, organizationId: 'globex' })).toBeUndefined();
});

it('an author is admitted again after a minute', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const limitAuthors = createAuthorLimit(1);
  await limitAuthors(author);
  vi.advanceTimersByTime(59_000);
  await expect(limitAuthors(author)).rejects.toMatchObject({ retryAfter: 1 });
  vi.advanceTimersByTime(1_001);
  await limitAuthors(author);
});

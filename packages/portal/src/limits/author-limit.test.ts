import { expect, it } from 'vitest';

import { createAuthorLimit } from './author-limit.ts';

it('the requests of a user do not count toward the limit of a user with the same ID elsewhere', async () => {
  const limitAuthors = createAuthorLimit(1);
  await limitAuthors({ organizationId: 'acme', userId: 'west' });
  await limitAuthors({ organizationId: 'globex', userId: 'west' });
  await expect(limitAuthors({ organizationId: 'acme', userId: 'west' })).rejects.toMatchObject({
    code: 'rate_limited',
  });
});

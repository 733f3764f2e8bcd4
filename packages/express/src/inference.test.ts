import { describe, expect, expectTypeOf, it } from 'vitest';

import { portalEmbed } from './index.ts';

const tenants = {
  'acme.example': {
    apiUrl: 'https://portal.example',
    apiKey: 'pk_1',
    organizationId: '11111111-0000-4000-8000-000000000001',
    portalUrl: 'https://acme.portal.example',
  },
};

interface Employee {
  email: string;
  department: string;
}

describe('what user returns', () => {
  it('is the type that authorize, provision and the hooks receive', () => {
    portalEmbed({
      tenants,
      user: async (req): Promise<Employee | null> =>
        req.get('X-Department') ? { email: 'a@b.example', department: 'Sales' } : null,
      authorize: ({ user }) => {
        expectTypeOf(user).toEqualTypeOf<Employee>();
        return user.department === 'Sales';
      },
      provision: ({ user }) => {
        expectTypeOf(user).toEqualTypeOf<Employee>();
        return { name: user.department, role: 3 };
      },
      onMint: ({ user }) => expectTypeOf(user).toEqualTypeOf<Employee>(),
      onRefuse: ({ user }) => expectTypeOf(user).toEqualTypeOf<Employee | undefined>(),
      onError: ({ user }) => expectTypeOf(user).toEqualTypeOf<Employee | undefined>(),
    });
  });

  it('must have an e-mail', () => {
    // @ts-expect-error a name alone does not identify a user of the portal
    expect(portalEmbed({ tenants, user: () => ({ name: 'West' }) })).toBeTypeOf('function');
  });
});

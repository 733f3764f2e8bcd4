/** Whom the demo can sign in, by organization. */
export const people = {
  acme: [
    { email: 'west@acme.example', name: 'Wanda West' },
    { email: 'east@acme.example', name: 'Emil East' },
    { email: 'all@acme.example', name: 'Alma All' },
    { email: 'none@acme.example', name: 'Nora None' },
  ],
  globex: [{ email: 'viewer@globex.example', name: 'Gus Globex' }],
} as const;

/** Administers Acme. */
export const administrator = { email: 'ada@acme.example', name: 'Ada Adams' } as const;

export const tenants = ['acme', 'globex'] as const;
export type TenantSlug = (typeof tenants)[number];

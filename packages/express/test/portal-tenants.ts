export const portalOrigin = 'https://acme.portal.example';

/** The tenants of the tests of `portalCsp`, which calls no portal. */
export const tenants = {
  'acme.localhost': {
    apiUrl: 'https://portal.example',
    apiKey: 'pk_1',
    organizationId: '11111111-0000-4000-8000-000000000001',
    portalUrl: `${portalOrigin}/reports`,
  },
};

export const userEmail = 'west@acme.example';

export const createTenant = (portalUrl) => ({
  apiUrl: portalUrl,
  apiKey: 'pk_benchmark',
  organizationId: '11111111-0000-4000-8000-000000000001',
  portalUrl: 'https://acme.portal.example',
});

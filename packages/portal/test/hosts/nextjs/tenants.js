export const tenants = {
  'acme.localhost': {
    apiUrl: process.env.REPORTS_URL ?? '',
    apiKey: process.env.ACME_API_KEY ?? '',
    organizationId: process.env.ACME_ORGANIZATION_ID ?? '',
    portalUrl: process.env.ACME_BASE_URL ?? '',
  },
};

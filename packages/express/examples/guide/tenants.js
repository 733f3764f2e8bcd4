const {
  REPORTS_URL = '',
  ACME_API_KEY = '',
  ACME_ORGANIZATION_ID = '',
  ACME_BASE_URL = '',
} = process.env;

export const tenants = {
  'acme.localhost': {
    apiUrl: REPORTS_URL,
    apiKey: ACME_API_KEY,
    organizationId: ACME_ORGANIZATION_ID,
    portalUrl: ACME_BASE_URL,
  },
};

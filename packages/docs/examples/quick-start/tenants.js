/** The portal of each host name of your application. */
export const tenants = {
  'app.acme.example': {
    apiUrl: 'https://portal.example',
    apiKey: process.env.REPORTS_API_KEY ?? '',
    organizationId: '00000000-0000-4000-8000-000000000001',
    portalUrl: 'https://acme.portal.example',
  },
};

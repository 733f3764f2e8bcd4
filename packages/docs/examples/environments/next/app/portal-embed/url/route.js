import { createMinter } from '@portal-embed/host';

let mint;

const getMint = () =>
  (mint ??= createMinter({
    tenants: {
      'acme.localhost': {
        apiUrl: process.env.REPORTS_URL,
        apiKey: process.env.ACME_API_KEY,
        organizationId: process.env.ACME_ORGANIZATION_ID,
        portalUrl: process.env.ACME_BASE_URL,
      },
    },
    origin: ({ headers }) => `http://${headers.get('host')}`,
    user: ({ headers }) => {
      const email = /user=([^;]+)/.exec(headers.get('cookie') ?? '')?.[1];
      return email ? { email: decodeURIComponent(email), hostName: 'acme.localhost' } : null;
    },
  }));

export const POST = (request) => getMint()(request);

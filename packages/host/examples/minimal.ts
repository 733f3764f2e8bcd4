// #region app
import { createMinter } from '@portal-embed/host';

const mint = createMinter({
  tenants: {
    'acme.app.example': {
      apiUrl: 'https://portal.example',
      apiKey: process.env['ACME_PORTAL_KEY']!,
      organizationId: process.env['ACME_ORGANIZATION_ID']!,
      portalUrl: 'https://acme.portal.example',
    },
  },
  user: (request) => readSession(request.headers.get('cookie')),
});

/** Your framework's route for POST and OPTIONS /portal-embed/url. */
export const handle = (request: Request): Promise<Response> => mint(request);
// #endregion

/** Stands for your own session. */
function readSession(cookie: string | null) {
  return cookie === 'session=west'
    ? { email: 'west@acme.example', hostName: 'acme.app.example' }
    : null;
}

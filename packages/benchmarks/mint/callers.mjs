/** Ways to mint from a program: a function each, in order of what they do. */
import http from 'node:http';

import { createPortalClient } from '@portal-embed/client';
import axios from 'axios';
import { Agent, request } from 'undici';

import { createTenant, userEmail } from './tenant.mjs';

export const callers = {
  'bare undici': (portalUrl) => {
    const { apiKey, portalUrl: baseUrl } = createTenant(portalUrl);
    const dispatcher = new Agent({ connections: 32 });
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
    return async () => {
      const body = JSON.stringify({ userEmail, baseUrl });
      const options = { method: 'POST', headers, body, dispatcher };
      const answer = await request(`${portalUrl}/api/identity/url`, options);
      return answer.body.json();
    };
  },
  'plain axios': (portalUrl) => {
    const { apiKey, portalUrl: baseUrl } = createTenant(portalUrl);
    const api = axios.create({
      baseURL: portalUrl,
      headers: { 'X-API-Key': apiKey },
      httpAgent: new http.Agent({ keepAlive: true, maxSockets: 32 }),
      maxRedirects: 0,
      timeout: 5_000,
    });
    return async () => (await api.post('/api/identity/url', { userEmail, baseUrl })).data;
  },
  '@portal-embed/client': (portalUrl) => {
    const { apiUrl, apiKey, portalUrl: baseUrl } = createTenant(portalUrl);
    const client = createPortalClient({ apiUrl, apiKey, maxConnections: 32 });
    return () => client.identity.mintUrl({ userEmail, baseUrl });
  },
};

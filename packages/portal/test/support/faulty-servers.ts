import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { portalEmbed } from '@portal-embed/express';
import express from 'express';
import {
  startFaultyProxy,
  type FaultyProxy,
  type HostContext,
  type PortalContext,
} from 'test-support/conformance-faults';

import { startTestPortal, type TestPortal } from './portal.ts';

export interface FaultyServers {
  portal: TestPortal;
  portalProxy: FaultyProxy;
  portalContext: PortalContext;
  /** Address of the host endpoint behind its proxy. */
  hostUrl: string;
  /** The same at the host name of Globex. */
  otherHostUrl: string;
  hostProxy: FaultyProxy;
  hostContext: HostContext;
  close: () => Promise<void>;
}

const signIn = (email: string) => ({ 'x-test-user': email });

/** Starts a portal and a host of Acme, each behind a proxy in which faults can be planted. */
export async function startFaultyServers(): Promise<FaultyServers> {
  const portal = await startTestPortal();
  const { acme, globex } = portal;
  const hostName = 'acme.localhost';
  const tenantOf = ({ id, apiKey, address }: typeof acme) => ({
    apiUrl: portal.publicUrl,
    apiKey,
    organizationId: id,
    portalUrl: address,
  });
  const app = express();
  app.use(
    '/portal-embed',
    portalEmbed({
      tenants: { [hostName]: tenantOf(acme), 'globex.localhost': tenantOf(globex) },
      // Sessions of Acme are not valid at Globex.
      user: (req) => {
        const email = req.get('X-Test-User');
        return email && req.hostname === hostName ? { email } : null;
      },
      // A run of the conformance kit sends more.
      limits: { mintsPerUserPerMinute: 1_000_000 },
      // Refusals would otherwise be printed.
      onError: () => {},
    }),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hostProxy = await startFaultyProxy((server.address() as AddressInfo).port);
  const portalProxy = await startFaultyProxy(Number(new URL(portal.publicUrl).port));
  return {
    portal,
    portalProxy,
    portalContext: { apiKey: acme.apiKey, userEmail: acme.emails.both },
    hostUrl: `http://${hostName}:${hostProxy.port}/portal-embed/url`,
    otherHostUrl: `http://globex.localhost:${hostProxy.port}/portal-embed/url`,
    hostProxy,
    hostContext: { hostName, apiKey: acme.apiKey, serviceAccount: acme.emails.none, signIn },
    close: async () => {
      await Promise.all([portalProxy, hostProxy].map((each) => each[Symbol.asyncDispose]()));
      server.closeAllConnections();
      server.close();
      await portal.close();
    },
  };
}

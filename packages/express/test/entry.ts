import express from 'express';
import type { Request } from 'express';

import { serve } from '../../host/test/running-app.ts';
import type { RunningApp } from '../../host/test/running-app.ts';
import { portalEmbed } from '../src/index.ts';
import type { PortalEmbedOptions, PortalUser } from '../src/index.ts';

// Stands in for ../../host/test/entry.ts, so that host's tests run against Express as well.
export const readHeader = (context: Request, name: string): string | undefined => context.get(name);

export const signingOut: { user: PortalUser } = { user: { email: 'west@acme.example' } };

export const startEntry = (options: PortalEmbedOptions<PortalUser>): Promise<RunningApp> => {
  const embed = portalEmbed(options);
  const app = express().use('/portal-embed', embed);
  app.all('/sign-out', (req, res) => {
    void embed.endSessions(signingOut.user, req).then((result) => res.json(result));
  });
  return serve(app);
};

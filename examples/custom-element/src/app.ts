import { portalEmbed } from '@portal-embed/express';
import type { PortalEmbedOptions, PortalUser } from '@portal-embed/express';
import express, { type Express } from 'express';

const here = (path: string) => new URL(`../${path}`, import.meta.url).pathname;

/** A host application with one page; who is signed in is for `options.user` to say. */
export function createApp<User extends PortalUser>(options: PortalEmbedOptions<User>): Express {
  const app = express();
  app.use('/portal-embed', portalEmbed(options));
  app.use('/modules/react', express.static(here('node_modules/@portal-embed/react/dist')));
  app.use('/modules/contract', express.static(here('node_modules/@portal-embed/contract/dist')));
  app.use(express.static(here('page')));
  return app;
}

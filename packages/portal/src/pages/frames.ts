import { readFile } from 'node:fs/promises';

import { Router, type Request, type Response } from 'express';

import type { Database } from '../db/connection/open.ts';
import { allowOnly } from '../http/methods.ts';
import { requestOrigin } from '../http/origin.ts';
import type { RefusalLimit } from '../limits/refusal-limit.ts';
import type { Platforms } from '../platforms/registry.ts';
import { defaultAppearance, findAppearance } from './appearance.ts';
import type { Assets } from './assets.ts';
import { frameDocument } from './documents.ts';
import { framePolicy, hash } from './policy.ts';
import { addProxyHint } from './proxy-hint.ts';
import { sendNotice, setHeaders } from './send.ts';

interface FramesServices {
  hotPathDb: Database;
  assets: Assets;
  refusalLimit: Pick<RefusalLimit, 'check'>;
  /** Origin of the service itself. */
  publicUrl: string;
  /** Origin of the administration pages, if there are any. */
  adminUrl: string | undefined;
  platforms: Pick<Platforms, 'framed'>;
}

/**
 * The pages that show frames of other products, one for each platform. They hold no data and no session.
 * Only the viewer's page may use them, and it sends them the token.
 */
export function framesRouter(scope: FramesServices): Router {
  const { assets } = scope;
  const router = Router({ caseSensitive: true, strict: true });
  for (const platform of scope.platforms.framed) {
    const { name, label, frames } = platform;
    const page = `/frames/${name}`;
    const files = {
      [`${page}/adapter.js`]: frames!.script,
      [`${page}/adapter.css`]: frames!.styles,
    };

    router.get(page, async (req, res) => {
      const found = await findEmbedders(scope, req, res);
      if (!found) {
        sendNotice(res, assets, defaultAppearance, 'not_found', 'address');
        return;
      }
      const { organizationId, ancestors } = found;
      const origins = organizationId && (await platform.frameOrigins?.(organizationId));
      const policy = framePolicy(origins || frames!.origins, ancestors);
      const body = frameDocument(assets, { page, label, hasStyles: frames!.styles !== undefined });
      setHeaders(res, policy, 'isolated' in req.query);
      // As for the shell: a policy must not outlive an embed origin.
      res.set({ 'Cache-Control': 'no-cache', ETag: `"${hash(policy + body)}"` }).send(body);
    });
    router.all(page, allowOnly('GET'));

    for (const [path, file] of Object.entries(files)) {
      if (file === undefined) continue;
      router.get(path, async (_req, res) => {
        const content = await readFile(file, 'utf8');
        res
          .type(path.endsWith('.js') ? 'js' : 'css')
          .set({ 'Cache-Control': 'no-cache', ETag: `"${hash(content)}"` })
          .send(content);
      });
      router.all(path, allowOnly('GET'));
    }
  }
  return router;
}

/**
 * Finds the organization of the address, and the origins that may embed the viewer's page there;
 * `undefined` for an unknown address. The service's own address has neither an organization nor a list,
 * because URLs of all organizations open there.
 */
async function findEmbedders(
  scope: FramesServices,
  req: Request,
  res: Response,
): Promise<{ organizationId: string | undefined; ancestors: readonly string[] } | undefined> {
  if (requestOrigin(req) === scope.publicUrl)
    return { organizationId: undefined, ancestors: ['*'] };
  const appearance = await scope.refusalLimit.check(
    req.ip,
    undefined,
    () => findAppearance(scope.hotPathDb, req),
    (found) => found.organizationName === undefined,
  );
  addProxyHint(scope, req, res, appearance);
  const { organizationId, embedOrigins } = appearance;
  if (organizationId === undefined) return undefined;
  const { adminUrl } = scope;
  return {
    organizationId,
    ancestors: adminUrl === undefined ? embedOrigins : [...embedOrigins, adminUrl],
  };
}

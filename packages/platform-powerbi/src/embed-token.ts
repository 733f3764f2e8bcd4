import { embedToken } from './answers.ts';
import type { Rest } from './rest.ts';

/** Whom a token stands for. */
export interface Identity {
  username: string;
  roles?: readonly string[] | undefined;
  customData?: string | undefined;
}

export interface EmbedToken {
  token: string;
  expiresAt: Date;
}

/** The least that serves: the page asks again every minute, and renews in time. */
const lifetimeInMinutes = 15;

/**
 * Asks Power BI for a token that opens one report as one reader.
 *
 * @param identity `undefined` for a model without row-level security, which refuses one
 * @throws `PowerbiError`
 */
export async function generateToken(
  ask: Rest['ask'],
  {
    reportId,
    modelId,
    identity,
  }: { reportId: string; modelId: string; identity: Identity | undefined },
  signal: AbortSignal,
): Promise<EmbedToken> {
  const { token, expiration } = await ask({
    method: 'POST',
    path: '/GenerateToken',
    body: {
      reports: [{ id: reportId, allowEdit: false }],
      datasets: [{ id: modelId }],
      ...(identity && { identities: [{ ...identity, datasets: [modelId] }] }),
      lifetimeInMinutes,
    },
    answer: embedToken,
    signal,
  });
  return { token, expiresAt: new Date(expiration) };
}

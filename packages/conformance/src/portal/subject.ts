import { randomBytes } from 'node:crypto';

import { defaultLimits } from '../http/limits.ts';
import type { Redact } from '../http/redact.ts';
import { createSender } from '../http/sender.ts';
import type { Sender } from '../http/sender.ts';
import type { Rule } from '../rules/rule.ts';
import type { PortalPoint } from '../rules/specification.ts';
import { Api } from './api.ts';
import { Fixtures } from './fixtures.ts';
import { Identity } from './identity.ts';
import type { PortalOptions } from './options.ts';
import { UndoStack } from './undo.ts';

/** The portal that the rules check. */
export interface PortalSubject {
  options: PortalOptions;
  sender: Sender;
  api: Api;
  fixtures: Fixtures;
  identity: Identity;
  undo: UndoStack;
}

/** How much longer a run with the option `slow` takes. */
const slowSeconds = 320;

export type PortalRule = Rule<PortalSubject, PortalPoint>;

export function createPortalSubject(
  options: PortalOptions,
  signal: AbortSignal,
  redact: Redact,
): PortalSubject {
  const limits = { ...defaultLimits, ...options.limits };
  if (options.slow === true) limits.maxSeconds += slowSeconds;
  const sender = createSender(limits, signal, redact);
  const undo = new UndoStack();
  const api = new Api(options, sender);
  const fixtures = new Fixtures(api, options, undo);
  return { options, sender, api, fixtures, undo, identity: new Identity(api, fixtures, options) };
}

/** A text that no item of a portal contains. */
export const nonsense = (): string => `no-such-${randomBytes(6).toString('hex')}`;

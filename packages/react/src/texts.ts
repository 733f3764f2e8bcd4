import { isRefusal } from './core/error.ts';
import type { EmbedState } from './core/options.ts';

/** Every text of the default UI. */
export const defaultTexts = {
  loading: 'Loading report…',
  /** Heard by screen readers only. */
  ready: 'Report loaded',
  failed: 'The report could not be shown.',
  refused: 'You do not have access to this report.',
  signedOut: 'Sign in to see this report.',
  retry: 'Try again',
};

export type EmbedTexts = typeof defaultTexts;

/** Which text a state calls for. */
export const pickText = ({ status, error }: EmbedState): keyof EmbedTexts =>
  error
    ? error.cause === 'not_signed_in'
      ? 'signedOut'
      : isRefusal(error.cause)
        ? 'refused'
        : 'failed'
    : status === 'ready' || status === 'refreshing'
      ? 'ready'
      : 'loading';

import { isRefusal } from './core/error.ts';
import type { EmbedState } from './core/options.ts';

/** Every text of the default UI. */
export const defaultTexts = {
  loading: 'Loading report',
  /** Heard by screen readers only. */
  ready: 'Report loaded',
  error: 'Report failed to load',
  refused: 'No access to this report',
  signedOut: 'Sign in to see this report',
  retry: 'Try again',
};

export type EmbedTexts = typeof defaultTexts;

/** Which text, or which slot in its place, a state calls for. */
export const pickView = ({ status, error }: EmbedState) =>
  error
    ? error.cause === 'not_signed_in'
      ? 'signedOut'
      : isRefusal(error.cause)
        ? 'refused'
        : 'error'
    : status[0] === 'r' // ready, refreshing
      ? 'ready'
      : 'loading';

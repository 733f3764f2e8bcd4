import { isRefusal } from './core/error.ts';
import type { EmbedState } from './core/options.ts';

/** The texts of the default UI. */
export const defaultTexts = {
  loading: 'Loading report',
  /** For screen readers only. */
  ready: 'Report loaded',
  error: 'Report failed to load',
  refused: 'No access to this report',
  signedOut: 'Sign in to see this report',
  retry: 'Try again',
};

export type EmbedTexts = typeof defaultTexts;

/** Returns the name of the text and slot of a state. */
export const pickView = ({ status, error }: EmbedState) => {
  if (error?.cause === 'not_signed_in') return 'signedOut';
  if (error) return isRefusal(error.cause) ? 'refused' : 'error';
  return status === 'ready' || status === 'refreshing' ? 'ready' : 'loading';
};

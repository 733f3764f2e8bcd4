import { isRefusal } from './core/error.ts';
import type { EmbedOptions, EmbedState } from './core/options.ts';

/** The texts of the default UI. */
export const defaultTexts = {
  loading: 'Loading report',
  /** For screen readers only. */
  ready: 'Report loaded',
  error: 'Report failed to load',
  refused: 'No access to this report',
  signedOut: 'Sign in to see this report',
  retry: 'Try again',
  requestAccess: 'Ask for access',
};

export type EmbedTexts = typeof defaultTexts;

/** Returns the name of the text and slot of a state. */
export const pickView = ({ status, error }: EmbedState) => {
  if (!error) return status === 'ready' || status === 'refreshing' ? 'ready' : 'loading';
  if (error.cause === 'not_signed_in') return 'signedOut';
  return isRefusal(error) ? 'refused' : 'error';
};

/** Returns the name of the text of the button, if an action of the reader can help. */
export const pickAction = (
  view: ReturnType<typeof pickView>,
  { onRequestAccess }: EmbedOptions,
) => {
  if (view === 'refused') return onRequestAccess && 'requestAccess';
  return view === 'error' && 'retry';
};

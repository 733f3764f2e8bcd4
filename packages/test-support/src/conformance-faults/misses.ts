import type { hostFaults } from './host-faults.ts';
import type { portalFaults } from './portal-faults.ts';

/** Faults that the conformance kit does not find, with the reason. The guide lists them. */
type Misses<Faults extends readonly { id: string }[]> = Partial<
  Record<Faults[number]['id'], string>
>;

export const portalMisses: Misses<typeof portalFaults> = {
  'email-case-sensitive': 'The specification does not say whether the letter case matters.',
  'token-outlives-expiry': 'The option `--slow` finds it, but takes five minutes.',
  'custom-filters-ignored': 'A page may load its rows by script, so equal pages prove nothing.',
};

export const hostMisses: Misses<typeof hostFaults> = {
  'url-shared-between-users': 'The check has the session of one user.',
  'fixed-user': 'Only the portal sees the user whom the host names.',
};

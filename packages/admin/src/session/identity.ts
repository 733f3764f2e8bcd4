import { createContext, use } from 'react';

import type { AdminIdentity } from '../requests/sign-in.ts';

export const IdentityContext = createContext<AdminIdentity | undefined>(undefined);

export function useIdentity(): AdminIdentity {
  const identity = use(IdentityContext);
  if (!identity) throw new Error('Nobody is signed in.');
  return identity;
}

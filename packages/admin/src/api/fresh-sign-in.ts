import { createContext } from 'react';

/** Sends a request. If the service requires a recent sign-in, repeats it after a confirmation. */
export type WithFreshSignIn = <Answer>(request: () => Promise<Answer>) => Promise<Answer>;

export const FreshSignInContext = createContext<WithFreshSignIn>((request) => request());

import { createContext } from 'react';

/** Sends a request, and repeats it after the password is confirmed if the service wants that. */
export type WithFreshSignIn = <Answer>(request: () => Promise<Answer>) => Promise<Answer>;

export const FreshSignInContext = createContext<WithFreshSignIn>((request) => request());

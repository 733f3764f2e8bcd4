import { createContext, use } from 'react';

export const OrganizationContext = createContext<string | undefined>(undefined);

/** The id of the organization whose pages are open. */
export function useOrganizationId(): string {
  const id = use(OrganizationContext);
  if (id === undefined) throw new Error('There is no OrganizationContext around this component.');
  return id;
}

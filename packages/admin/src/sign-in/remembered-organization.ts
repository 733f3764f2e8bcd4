const key = 'portal-organization';

/** The organization that signed in last on this device. It is no secret. */
export const readRememberedOrganization = (): string => localStorage.getItem(key) ?? '';

export const rememberOrganization = (organization: string): void =>
  localStorage.setItem(key, organization);

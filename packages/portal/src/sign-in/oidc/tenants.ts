/** Tenants of Entra ID that contain the accounts of many companies, or of anybody. */
const sharedTenants: ReadonlySet<string> = new Set([
  'common',
  'organizations',
  'consumers',
  // The tenant of personal accounts.
  '9188040d-6c67-4c5b-b112-36a304b66dad',
]);

/** Providers at which anybody can have an account. */
const sharedHosts: ReadonlySet<string> = new Set(['accounts.google.com', 'appleid.apple.com']);

/** Whether the accounts of an issuer belong to more than one company. */
export function isMultiTenant(issuer: string): boolean {
  const { hostname, pathname } = new URL(issuer);
  const tenant = pathname.split('/').find((part) => part !== '') ?? '';
  return sharedHosts.has(hostname) || sharedTenants.has(decodePart(tenant).toLowerCase());
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads the slugs in names of variables such as `PORTAL_OIDC_SECRET_ACME_EAST`. */
export const toSlug = (name: string): string | undefined =>
  /^[A-Z0-9]+(_[A-Z0-9]+)*$/.test(name) ? name.toLowerCase().replaceAll('_', '-') : undefined;

/** The end of the name of a variable for the organization with this slug. */
export const toVariable = (slug: string): string => slug.toUpperCase().replaceAll('-', '_');

/** What is wrong with a variable whose name has no slug. */
export const describeNoSlug = (prefix: string): string =>
  `must have the slug of an organization after ${prefix}, in capitals, with underscores for hyphens`;

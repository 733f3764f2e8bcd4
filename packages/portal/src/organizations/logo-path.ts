/** Path of a logo. Its hash makes the address change with the logo, so browsers may keep it. */
export const logoPath = (organizationId: string, hash: string | null): string | null =>
  hash && `/logos/${organizationId}/${hash}.png`;

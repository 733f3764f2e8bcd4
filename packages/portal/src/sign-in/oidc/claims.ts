/** Claims of a provider about a person, from the ID token or the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** Values of `xms_edov` that mean that the tenant of Entra ID owns the domain of the e-mail. */
const positiveForms: ReadonlySet<unknown> = new Set([true, 1, '1', 'true']);

/**
 * Whether the provider has verified the e-mail; `undefined` without a claim about it. One negative claim
 * is enough to refuse.
 */
export function readVerification(sources: readonly Claims[]): boolean | undefined {
  const statements = sources.flatMap(({ email_verified: verified, xms_edov: isDomainOwned }) => [
    ...(verified === undefined ? [] : [verified === true]),
    ...(isDomainOwned === undefined ? [] : [positiveForms.has(isDomainOwned)]),
  ]);
  return statements.length === 0 ? undefined : statements.every(Boolean);
}

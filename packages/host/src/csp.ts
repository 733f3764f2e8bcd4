import parseContentSecurityPolicy from 'content-security-policy-parser';

/**
 * What a page must be allowed to do with the portal: frame it, and connect to it, because the embed
 * probes a page that stays silent. Each with its fallbacks (CSP level 3, section 6.1).
 */
const required = {
  'frame-src': ['frame-src', 'child-src', 'default-src'],
  'connect-src': ['connect-src', 'default-src'],
};

/** Parses a header, which holds one policy or several. The first of two equal directives counts. */
const parsePolicies = (header: string): Map<string, string[]>[] =>
  header.split(',').map((policy) => parseContentSecurityPolicy(policy));

/** Returns the directive that is in force of several that fall back to each other. */
const findInForce = (policy: Map<string, string[]>, names: readonly string[]) =>
  names.find((name) => policy.has(name));

/**
 * Extends every policy of a header so that pages may frame one more origin and connect to it. Changes
 * nothing else. A directive that a policy lacks stays absent: naming one origin would forbid all
 * others.
 */
export function extendPolicy(header: string, origin: string): string {
  const texts = header.split(',');
  return parsePolicies(header)
    .map((policy, index) => {
      const extended = Object.entries(required).flatMap(([name, names]) => {
        const inForce = findInForce(policy, names);
        if (inForce === undefined) return [];
        const kept = policy
          .get(inForce)!
          .filter((source) => source.toLowerCase() !== "'none'" && source !== origin);
        return [{ name, sources: [...kept, origin] }];
      });
      if (extended.length === 0) return texts[index]!.trim();
      for (const { name, sources } of extended) policy.set(name, sources);
      return [...policy].map((directive) => directive.flat().join(' ')).join(';');
    })
    .join(', ');
}

/** Returns the sources of a directive in each policy that has it. */
export function readDirective(header: string | string[] | undefined, name: string): string[][] {
  const names = required[name as keyof typeof required] ?? [name];
  return parsePolicies(String(header ?? '')).flatMap((policy) => {
    const inForce = findInForce(policy, names);
    return inForce === undefined ? [] : [policy.get(inForce)!];
  });
}

/** Names what the policies of a header forbid a page to do with the portal of an origin. */
export const findForbidden = (header: string | string[] | undefined, origin: string): string[] =>
  Object.keys(required).filter((name) =>
    readDirective(header, name).some((sources) => !allowsOrigin(sources, origin)),
  );

/** Whether a source list allows an origin: exactly, by scheme, or by a leading wildcard. */
export function allowsOrigin(sources: readonly string[], origin: string): boolean {
  const { protocol, host } = new URL(origin);
  return sources.some((source) => {
    if (source === '*' || source === protocol || source === origin) return true;
    const [, scheme, rest] = /^(?:([a-z]+:)\/\/)?(.+?)\/?$/i.exec(source) ?? [];
    if (rest === undefined || (scheme !== undefined && scheme !== protocol)) return false;
    return rest.startsWith('*.') ? host.endsWith(rest.slice(1)) : rest === host;
  });
}

/**
 * What the portal is admitted to, each with what stands in for it where a policy has none (CSP level
 * 3, section 6.1). The embed connects to find out whether a page that says nothing answers at all.
 */
export const admissions = {
  'frame-src': ['frame-src', 'child-src', 'default-src'],
  'connect-src': ['connect-src', 'default-src'],
};

/**
 * Lets every policy of a header frame one more origin and connect to it, and changes nothing else of
 * what they allow. What a policy does not limit stays so: to name one origin would take away all
 * others.
 */
export function admitPortal(policies: string, origin: string): string {
  return policies
    .split(',')
    .map((policy) => extendPolicy(policy.trim(), origin))
    .join(', ');
}

function extendPolicy(policy: string, origin: string): string {
  const directives = new Map<string, string[]>();
  for (const directive of policy.split(';')) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    // A browser obeys the first of two directives with the same name.
    if (name && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  const admitted = Object.entries(admissions).flatMap(([name, standIns]) => {
    const inForce = standIns.find((each) => directives.has(each));
    if (inForce === undefined) return [];
    const kept = directives
      .get(inForce)!
      .filter((source) => source.toLowerCase() !== "'none'" && source !== origin);
    return [{ name, sources: [...kept, origin] }];
  });
  if (admitted.length === 0) return policy;
  for (const { name, sources } of admitted) directives.set(name, sources);
  return [...directives].map(([name, sources]) => [name, ...sources].join(' ')).join(';');
}

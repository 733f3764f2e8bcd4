// What stands in for frame-src where a policy has none (CSP level 3, section 6.1.5).
const fallbacks = ['frame-src', 'child-src', 'default-src'];

/**
 * Lets every policy of a header frame one more origin, and changes nothing else of what they allow.
 * A policy that says nothing about frames stays as it is: it allows all of them, and a `frame-src`
 * would take away all but one.
 */
export function addFrameSource(policies: string, origin: string): string {
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
  const inForce = fallbacks.find((name) => directives.has(name));
  if (inForce === undefined) return policy;
  const kept = directives
    .get(inForce)!
    .filter((source) => source.toLowerCase() !== "'none'" && source !== origin);
  directives.set('frame-src', [...kept, origin]);
  return [...directives].map(([name, sources]) => [name, ...sources].join(' ')).join(';');
}

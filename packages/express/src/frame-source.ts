// What stands in for frame-src where a policy has none (CSP level 3, section 6.1.5).
const fallbacks = ['frame-src', 'child-src', 'default-src'];

/** Lets a policy frame one more origin, and changes nothing else of what it allows. */
export function addFrameSource(policy: string, origin: string): string {
  const directives = new Map<string, string[]>();
  for (const directive of policy.split(';')) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    // A browser obeys the first of two directives with the same name.
    if (name && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  const inForce = fallbacks.find((name) => directives.has(name));
  const allowed = inForce === undefined ? [] : directives.get(inForce)!;
  const kept = allowed.filter((source) => source !== "'none'" && source !== origin);
  directives.set('frame-src', [...kept, origin]);
  return [...directives].map(([name, sources]) => [name, ...sources].join(' ')).join(';');
}

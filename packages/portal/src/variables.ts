import { isIP } from 'node:net';

import leven from 'leven';

/** A variable whose name looks like a setting, but is not one. */
export interface UnknownVariable {
  variable: string;
  /** Settings that were probably meant, the nearest first. */
  near: string[];
}

/** Maximum number of wrong letters in a mistyped setting. */
const maxDistance = 2;

/** Variables that Kubernetes sets in pods with service links, for a Service named `portal…`. */
const serviceLinks =
  /^PORTAL_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;

/** Value of the variable `PORTAL_PORT` (or `PORTAL_METRICS_PORT`) of such a Service. */
export const serviceAddress = /^(tcp|udp|sctp):\/\//;

/** Whether Kubernetes has set the variable for a Service, and not a person. */
export const isServiceLink = (variable: string, value = ''): boolean =>
  serviceAddress.test(value)
    ? serviceLinks.test(variable) || variable.endsWith('_PORT')
    : serviceLinks.test(variable) && (isIP(value) !== 0 || /^(\d{1,5}|TCP|UDP|SCTP)$/i.test(value));

/** Variables of the portal's own tests. */
const testPrefix = 'PORTAL_TEST_';

/**
 * Finds the variables that are not settings, but begin with `PORTAL_` or have a name similar to one.
 *
 * @param settings.names names of single settings
 * @param settings.families by prefix, an example of a name with this prefix
 */
export function findUnknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  settings: { names: readonly string[]; families: Readonly<Record<string, string>> },
): UnknownVariable[] {
  const names = new Set(settings.names);
  const prefixes = [...Object.keys(settings.families), testPrefix];
  const isKnown = (variable: string, value: string) =>
    names.has(variable) ||
    prefixes.some((prefix) => variable.startsWith(prefix)) ||
    serviceLinks.test(variable) ||
    (variable.endsWith('_PORT') && serviceAddress.test(value));
  return Object.entries(env)
    .filter(([variable, value]) => value !== undefined && !isKnown(variable, value))
    .map(([variable]) => ({ variable, near: findNear(variable, settings) }))
    .filter(({ variable, near }) => near.length > 0 || /^portal_/i.test(variable));
}

function findNear(
  variable: string,
  settings: Parameters<typeof findUnknownVariables>[1],
): string[] {
  const name = variable.toUpperCase();
  if (settings.names.includes(name)) return [name];
  const candidates = [
    ...settings.names.map((setting) => ({ setting, distance: measure(name, setting) })),
    ...Object.entries(settings.families).map((family) => completeFamily(name, ...family)),
  ];
  const isOurs = name.startsWith('PORTAL_');
  return (
    candidates
      .filter(({ distance }) => distance <= maxDistance)
      // Another program may have a POSTAL_PORT, but probably no POSTAL_DATABASE_URL.
      .filter(({ setting }) => isOurs || setting.split('_').length > 2)
      .toSorted((a, b) => a.distance - b.distance)
      .map(({ setting }) => setting)
  );
}

const measure = (a: string, b: string): number => leven(a, b, { maxDistance: maxDistance + 1 });

/** Corrects the beginning of a name to the prefix of a family. `distance`: the number of wrong letters. */
function completeFamily(
  name: string,
  prefix: string,
  example: string,
): { setting: string; distance: number } {
  const lengths = Array.from(
    { length: 2 * maxDistance + 1 },
    (_, n) => prefix.length - maxDistance + n,
  );
  const [best] = lengths
    .map((length) => ({
      rest: name.slice(length),
      distance: measure(name.slice(0, length), prefix),
      isWord: name[length - 1] === '_' || length >= name.length,
    }))
    .toSorted((a, b) => a.distance - b.distance || Number(b.isWord) - Number(a.isWord));
  const { rest, distance } = best!;
  return { setting: rest === '' ? example : prefix + rest, distance };
}

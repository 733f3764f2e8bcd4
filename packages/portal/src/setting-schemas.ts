import { isIP, isIPv4 } from 'node:net';

import { z } from 'zod';

import { findAddressProblem } from './database-address.ts';
import { parseOrigin } from './organizations/origins.ts';
import { serviceAddress } from './variables.ts';

export const origin = z.string().transform((value, ctx) => {
  const parsed = parseOrigin(value);
  if (parsed) return parsed;
  ctx.addIssue(
    `${findOriginProblem(value)}. It must be an origin such as https://portal.example.com: http or https, a host name of letters, ` +
      'digits, dots and hyphens (no underscore), perhaps a port, and no user, path or query',
  );
  return z.NEVER;
});

/** As `origin`, but https only: a secret is sent to it. */
export const httpsOrigin = origin.refine((value) => value.startsWith('https://'), 'must be https');

/** What is wrong with the text of an origin, for a message that may not repeat it: it can have a password. */
function findOriginProblem(text: string): string {
  if (!/^https?:\/\//i.test(text)) return 'does not begin with https:// or http://';
  if (!URL.canParse(text)) return 'is not an address';
  const { username, password, pathname, search, hash } = new URL(text);
  if (username !== '' || password !== '') return 'has a user or a password';
  if (pathname !== '/' || search !== '' || hash !== '') return 'has a path or a query';
  return 'has a host name that cannot be used';
}

/** A host name or an address, without scheme and port. */
export const listenAddress = z
  .string()
  .refine(
    (value) => isIP(value) !== 0 || /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(value),
    'must be an address of this machine such as 127.0.0.1 or 0.0.0.0, without scheme and port',
  );

export const databaseAddress = z.string().superRefine((value, ctx) => {
  const problem = findAddressProblem(value);
  if (problem !== undefined) ctx.addIssue(problem);
});

/** `true`, a number of proxies, or a list of their addresses, as in Express. */
export const trustProxy = z
  .string()
  .refine(
    (value) =>
      /^(true|\d+)$/.test(value) ||
      value
        .split(',')
        .every(
          (part) => /^(loopback|linklocal|uniquelocal)$/.test(part.trim()) || isSubnet(part.trim()),
        ),
    'must be true, a number of proxies, or a list of addresses such as loopback,10.0.0.0/8',
  )
  .transform((value) => (value === 'true' ? true : /^\d+$/.test(value) ? Number(value) : value));

/** Whether the text is an IP address, optionally with a prefix length or a netmask. */
function isSubnet(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || rest.length > 0) return false;
  if (prefix === undefined || (bits === 32 && isIPv4(prefix))) return true;
  return /^[1-9]\d*$/.test(prefix) && Number(prefix) <= bits;
}

export function wholeNumber(unit: string, min: number, max: number) {
  const message = `must be a whole number of ${unit} from ${min} to ${max}, without a unit`;
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
}

const portProblem = 'must be a port number from 0 to 65535';

export const port = z
  .string()
  .refine((value) => !serviceAddress.test(value), {
    error:
      'has the address of a Kubernetes Service, which is named like this setting. Set `enableServiceLinks: false` in the spec of the pod, or give the Service another name.',
    abort: true,
  })
  .pipe(
    z.coerce
      .number<string>(portProblem)
      .int(portProblem)
      .min(0, portProblem)
      .max(65_535, portProblem),
  );

export const onOff = (byDefault: 'on' | 'off') =>
  z
    .enum(['on', 'off'], 'must be on or off')
    .default(byDefault)
    .transform((value) => value === 'on');

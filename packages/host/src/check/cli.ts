#!/usr/bin/env node
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import type { Tenant } from '../tenant.ts';
import type { Finding } from './finding.ts';

const usage = `Usage: portal-embed-check <module> [options]

Checks the tenants that <module> exports as "tenants" against their live portals, checks the
endpoint of your application, and prints what to fix. Exits with 1 if there is something to fix. A
warning means that something could not be checked.

  --tenant <host name>   check only this tenant
  --origin <address>     origin of the host's pages; {host} stands for the tenant's host name.
                         Default: https://{host}
  --endpoint <path>      path of the host endpoint in your application, or its address on another
                         origin. The command sends it a request, which mints nothing.
                         Default: /portal-embed/url
  --page <path>          a page that embeds the portal and needs no sign-in, or one with the same
                         policy, to check its Content-Security-Policy and
                         Cross-Origin-Embedder-Policy
  --ancestor <origin>    origin of a page that frames your page, such as Teams, to check that it
                         may frame the portal. Repeat it for each page around yours
  --user <e-mail>        mint a URL for this user of the portal, without opening it; with several
                         tenants, add the user's --tenant
  --provision            also check that the key may provision users
  -h, --help             print this help
`;

/** A finding, or that the tenant itself is not valid. */
type Result = Omit<Finding, 'check'> & { check: Finding['check'] | 'tenant' };

function rejectUsage(reason: string): number {
  process.stderr.write(`${reason}\n`);
  return 2;
}

const isUnknownTypeScript = (error: unknown): error is Error =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_UNKNOWN_FILE_EXTENSION' &&
  /"\.[cm]?ts"/.test(error.message);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tenant: { type: 'string' },
      origin: { type: 'string', default: 'https://{host}' },
      endpoint: { type: 'string', default: '/portal-embed/url' },
      page: { type: 'string' },
      ancestor: { type: 'string', multiple: true, default: [] },
      user: { type: 'string' },
      provision: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const [file] = positionals;
  if (file === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  let module: { tenants?: Record<string, Tenant> };
  try {
    module = (await import(pathToFileURL(path.resolve(file)).href)) as typeof module;
  } catch (error) {
    if (isUnknownTypeScript(error))
      return rejectUsage(
        `${error.message}. Node ${process.versions.node} cannot load TypeScript: name a JavaScript file, or use Node 22.18 or later.`,
      );
    throw error;
  }
  const tenants = Object.entries(module.tenants ?? {}).filter(
    ([hostName]) => values.tenant === undefined || values.tenant === hostName,
  );
  const known = Object.keys(module.tenants ?? {});
  if (known.length === 0)
    return rejectUsage(`${file} exports no tenants. Add: export const tenants = { … }`);
  if (tenants.length === 0)
    return rejectUsage(`There is no tenant "${values.tenant}". Tenants: ${known.join(', ')}.`);
  if (tenants.length > 1) {
    if (values.user !== undefined)
      return rejectUsage('--user names a user of one tenant. Add --tenant.');
    if (!values.origin.includes('{host}'))
      return rejectUsage(
        '--origin is the same for all tenants. Put {host} where the host name belongs.',
      );
  }
  // Imported late, because loading HTTP clients and schemas would delay help and usage errors.
  const { HostConfigurationError } = await import('../callback.ts');
  const { checkPortal } = await import('./check-portal.ts');
  let isCorrect = true;
  for (const [hostName, tenant] of tenants) {
    process.stdout.write(`${hostName}\n`);
    const fillIn = (text: string) => text.replaceAll('{host}', hostName);
    const findings: Result[] = await checkPortal({
      tenant,
      hostOrigin: fillIn(values.origin),
      endpoint: fillIn(values.endpoint),
      hostPage: values.page,
      ancestorOrigins: values.ancestor.map(fillIn),
      userEmail: values.user,
      provision: values.provision,
    }).catch((error: unknown) => {
      if (!(error instanceof HostConfigurationError)) throw error;
      const message = error.message.replace('checkPortal: tenant: ', '');
      return [{ check: 'tenant', ok: false, warning: false, message }];
    });
    for (const { check, ok, warning, message } of findings) {
      const result = warning ? 'WARN  ' : 'ok    ';
      process.stdout.write(`  ${ok ? result : 'FAILED'}  ${check}: ${message}\n`);
    }
    isCorrect &&= findings.every(({ ok }) => ok);
  }
  return isCorrect ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${usage}`);
  process.exitCode = 2;
}

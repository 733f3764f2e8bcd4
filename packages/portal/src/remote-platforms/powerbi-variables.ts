import fs from 'node:fs';

import { z } from 'zod';

import type { Credential } from '#platform-powerbi';

import { describeNoSlug, toSlug, toVariable } from '../organization-variables.ts';

export const powerbiSecretPrefix = 'PORTAL_POWERBI_SECRET_';
export const powerbiCertificatePrefix = 'PORTAL_POWERBI_CERTIFICATE_';

/** Names of the variables of the organization with this slug; one of them must be set. */
export const powerbiVariablesOf = (slug: string): { secret: string; certificate: string } => ({
  secret: powerbiSecretPrefix + toVariable(slug),
  certificate: powerbiCertificatePrefix + toVariable(slug),
});

/** Reads the variables of Power BI, by the slugs of organizations. Messages never contain the values. */
export const powerbiVariables = z
  .record(z.string(), z.string().optional())
  .transform((variables, ctx) => {
    const powerbiCredentials = new Map<string, Credential>();
    const add = (prefix: string, read: (value: string) => Credential) => {
      for (const [variable, value = ''] of Object.entries(variables)) {
        if (!variable.startsWith(prefix)) continue;
        const slug = toSlug(variable.slice(prefix.length));
        const problem =
          slug === undefined
            ? describeNoSlug(prefix)
            : powerbiCredentials.has(slug)
              ? `is set beside ${powerbiVariablesOf(slug).secret}; remove one of them`
              : undefined;
        if (problem !== undefined)
          ctx.addIssue({ code: 'custom', path: [variable], message: problem });
        else
          try {
            powerbiCredentials.set(slug!, read(value));
          } catch {
            const message = 'must be the path of a file that the portal can read';
            ctx.addIssue({ code: 'custom', path: [variable], message });
          }
      }
    };
    add(powerbiSecretPrefix, (secret) => ({ kind: 'secret', secret }));
    add(powerbiCertificatePrefix, (file) => ({
      kind: 'certificate',
      pem: fs.readFileSync(file, 'utf8'),
    }));
    return { powerbiCredentials };
  });

/** Descriptions for the reference. */
export const powerbiSecretVariables = z
  .unknown()
  .describe(
    'client secret of the application with which an organization connects to Power BI: `PORTAL_POWERBI_SECRET_ACME_EAST` for `acme-east`',
  );
export const powerbiCertificateVariables = z
  .unknown()
  .describe(
    'in place of the secret, the path of a file with the certificate and its private key in PEM',
  );

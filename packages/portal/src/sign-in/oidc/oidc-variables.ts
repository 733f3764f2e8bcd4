import { z } from 'zod';

import { describeNoSlug, toSlug, toVariable } from '../../organization-variables.ts';

export const secretPrefix = 'PORTAL_OIDC_SECRET_';

/** Name of the variable with the client secret of the organization with this slug. */
export const secretVariable = (slug: string): string => secretPrefix + toVariable(slug);

/** Address of the page to which providers send browsers. */
export const redirectUriOf = ({ adminUrl }: { adminUrl: string }): string =>
  `${adminUrl}/admin/oidc`;

/** Reads the variables `PORTAL_OIDC_SECRET_SLUG`. Messages never contain the values. */
export const oidcVariables = z
  .record(z.string(), z.string().optional())
  .transform((variables, ctx) => {
    const oidcSecrets = new Map<string, string>();
    for (const [variable, secret = ''] of Object.entries(variables)) {
      if (!variable.startsWith(secretPrefix)) continue;
      const slug = toSlug(variable.slice(secretPrefix.length));
      if (slug === undefined)
        ctx.addIssue({ code: 'custom', path: [variable], message: describeNoSlug(secretPrefix) });
      else oidcSecrets.set(slug, secret);
    }
    return { oidcSecrets };
  })
  .describe(
    'client secret at the identity provider of an organization: `PORTAL_OIDC_SECRET_ACME_EAST` for `acme-east`',
  );

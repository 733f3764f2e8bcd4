import { z } from 'zod';

/** The operations that the portal uses, as Microsoft's document of the API describes them. */

const identity = z.strictObject({
  username: z.string().min(1).max(256).regex(/^\S+$/),
  roles: z
    .array(
      z
        .string()
        .min(1)
        .max(50)
        .regex(/^[^,]+$/),
    )
    .min(1)
    .max(50)
    .optional(),
  customData: z.string().optional(),
  datasets: z.array(z.string()).min(1),
});

/** The body of `EmbedToken_GenerateToken`. */
export const tokenRequest = z.strictObject({
  reports: z.array(z.strictObject({ id: z.guid(), allowEdit: z.boolean().optional() })).length(1),
  datasets: z.array(z.strictObject({ id: z.guid() })).min(1),
  identities: z.array(identity).length(1).optional(),
  lifetimeInMinutes: z.int().min(1).optional(),
});

/** The form that Microsoft Entra ID takes for the application itself. */
export const signInForm = z.union([
  z.strictObject({
    grant_type: z.literal('client_credentials'),
    client_id: z.guid(),
    client_secret: z.string(),
    scope: z.string(),
  }),
  z.strictObject({
    grant_type: z.literal('client_credentials'),
    client_id: z.guid(),
    client_assertion_type: z.literal('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
    client_assertion: z.string(),
    scope: z.string(),
  }),
]);

export type TokenRequest = z.infer<typeof tokenRequest>;

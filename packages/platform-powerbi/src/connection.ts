import { z } from 'zod';

import { cloudNames } from './clouds.ts';

const notUuid =
  'must be an id such as 1b4f0c9e-7c2b-4a5d-9a70-2f6f3f6c1d11, not a name or a domain';

/** How an organization reaches its tenant. The secret is not part of it. */
export const connectionSchema = z.strictObject({
  tenant: z.uuid(notUuid).describe('id of the tenant in Microsoft Entra ID'),
  clientId: z.uuid(notUuid).describe('id of the application in Microsoft Entra ID'),
  cloud: z.enum(cloudNames).describe("Microsoft's cloud that has the tenant"),
  workspaces: z
    .array(z.uuid(notUuid).toLowerCase())
    .min(1)
    .max(100)
    .refine((ids) => new Set(ids).size === ids.length, 'a workspace is named twice')
    .describe('ids of the workspaces whose reports the portal shows'),
  username: z
    .enum(['email', 'id'])
    .describe('what row-level security sees as the user name: e-mail or id of the user'),
  customData: z
    .boolean()
    .describe('whether models get the filters of the host as CUSTOMDATA(), to enforce them'),
});

export type Connection = z.infer<typeof connectionSchema>;

/** How the portal proves to Microsoft Entra ID that it is the application. */
export type Credential =
  | { kind: 'secret'; secret: string }
  /** The certificate and its private key (PKCS #8), in PEM. */
  | { kind: 'certificate'; pem: string };

/** Origins in place of those of the cloud. For tests. */
export interface Addresses {
  authority?: string | undefined;
  api?: string | undefined;
}

import type { EndpointName } from '@portal-embed/contract';
import type { z } from 'zod';

import { apiKeyEndpoints, type ApiKeyAnswers } from './api-keys.ts';
import { companyEndpoints, type CompanyAnswers } from './companies.ts';
import { dataFileEndpoints, type DataFileAnswers } from './data-files.ts';
import { datasetEndpoints, type DatasetAnswers } from './datasets.ts';
import { definitionEndpoints, type DefinitionAnswers } from './definitions.ts';
import type { AdminEndpoint } from './endpoint.ts';
import { groupEndpoints, type GroupAnswers } from './groups.ts';
import { itemEndpoints, type ItemAnswers } from './items.ts';
import { logEndpoints, type LogAnswers, type otherOperations } from './logs.ts';
import { oidcEndpoints, type OidcAnswers } from './oidc.ts';
import { organizationEndpoints, type OrganizationAnswers } from './organizations.ts';
import { platformEndpoints, type PlatformAnswers } from './platforms.ts';
import { reportEndpoints, type ReportAnswers } from './reports.ts';
import { signInEndpoints, type SignInAnswers } from './sign-in.ts';
import { userEndpoints, type UserAnswers } from './users.ts';
import { workspaceEndpoints, type WorkspaceAnswers } from './workspaces.ts';

/** Every request of the administration pages. Routes, the pages' calls and tests derive from it. */
export const adminEndpoints = {
  ...signInEndpoints,
  ...oidcEndpoints,
  ...organizationEndpoints,
  ...apiKeyEndpoints,
  ...logEndpoints,
  ...userEndpoints,
  ...groupEndpoints,
  ...companyEndpoints,
  ...reportEndpoints,
  ...definitionEndpoints,
  ...datasetEndpoints,
  ...dataFileEndpoints,
  ...itemEndpoints,
  ...workspaceEndpoints,
  ...platformEndpoints,
} as const satisfies Record<string, AdminEndpoint>;

export type AdminEndpointName = keyof typeof adminEndpoints;

/** What the activity log records: requests of the API, changes by the pages, and others. */
export type Operation =
  | EndpointName
  | {
      [Name in AdminEndpointName]: Row<Name>['method'] extends 'GET' ? never : Name;
    }[AdminEndpointName]
  | (typeof otherOperations)[number];

type Row<Name extends AdminEndpointName> = (typeof adminEndpoints)[Name];

type PathParams<Path extends string> = Path extends `${string}{${infer Param}}${infer Rest}`
  ? Record<Param, string> & PathParams<Rest>
  : unknown;

type Parsed<Part> = Part extends z.ZodType ? z.output<Part> : unknown;
type Given<Part> = Part extends z.ZodType ? z.input<Part> : unknown;
type Field<Name extends AdminEndpointName, Key extends string> =
  Row<Name> extends Record<Key, infer Part> ? Part : undefined;

/** A file in the browser. */
interface SentFile {
  readonly name: string;
  readonly size: number;
}

/** The file of an upload. Pages send a `SentFile`; handlers receive a stream. */
type UploadOf<Name extends AdminEndpointName, File> =
  Row<Name> extends { isUpload: true } ? { upload: File } : unknown;

/**
 * What a handler receives: parameters of the path, query and body as one object. The organization is
 * in its context.
 */
export type AdminInput<Name extends AdminEndpointName> = Omit<
  PathParams<Row<Name>['path']>,
  'organizationId'
> &
  Parsed<Field<Name, 'query'>> &
  Parsed<Field<Name, 'body'>> &
  UploadOf<Name, AsyncIterable<Uint8Array>>;

/** Parameters of the path, query and body that a page sends. */
export type AdminRequest<Name extends AdminEndpointName> = PathParams<Row<Name>['path']> &
  Given<Field<Name, 'query'>> &
  Given<Field<Name, 'body'>> &
  UploadOf<Name, SentFile>;

type AdminAnswers = SignInAnswers &
  OidcAnswers &
  OrganizationAnswers &
  ApiKeyAnswers &
  LogAnswers &
  UserAnswers &
  GroupAnswers &
  CompanyAnswers &
  ReportAnswers &
  DefinitionAnswers &
  DatasetAnswers &
  DataFileAnswers &
  ItemAnswers &
  WorkspaceAnswers &
  PlatformAnswers;

export type AdminAnswer<Name extends AdminEndpointName> = AdminAnswers[Name];

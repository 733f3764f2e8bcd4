import type { z } from 'zod';

import type { Endpoint } from './endpoint.ts';
import {
  endpoints,
  type EndpointName,
  type EndpointResponse,
  type Endpoints,
} from './endpoints.ts';
import { exampleOf } from './example.ts';

type PartExample<Name extends EndpointName, Key extends 'params' | 'query' | 'body'> =
  Endpoints[Name] extends Record<Key, infer Schema extends z.ZodType>
    ? Record<Key, z.input<Schema>>
    : unknown;

type EndpointExample<Name extends EndpointName> = PartExample<Name, 'params'> &
  PartExample<Name, 'query'> &
  PartExample<Name, 'body'> &
  (Endpoints[Name] extends { response: unknown } ? { response: EndpointResponse<Name> } : unknown);

type EndpointExamples = { [Name in EndpointName]: EndpointExample<Name> };

/** An example request and answer of each endpoint, from the examples of its schemas. */
export const endpointExamples = Object.fromEntries(
  Object.entries(endpoints).map(([name, row]) => [name, createExample(row)]),
) as EndpointExamples;

// A new user has no links.
Object.assign(endpointExamples.createUser.response, { reports: [], groups: [] });

function createExample(row: Endpoint): object {
  const parts = ['params', 'query', 'body', 'response'] as const;
  return Object.fromEntries(
    parts.flatMap((part) => (row[part] ? [[part, exampleOf(row[part])]] : [])),
  );
}

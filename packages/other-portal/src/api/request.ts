import { Refusal } from '../answer.ts';
import type { PortalState } from '../state.ts';

export interface ApiRequest {
  state: PortalState;
  query: URLSearchParams;
  /** The decoded last segment of the path, for the endpoint that has a parameter. */
  parameter: string;
  /** The parsed body, or undefined for a request without one. */
  body: unknown;
  now: Date;
  /** The address of the portal as callers see it. */
  url: string;
}

type Fields = Record<string, unknown>;

export function fields(body: unknown): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal(400, 'The body must be a JSON object.');
  return body as Fields;
}

export function stringField(body: Fields, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value.trim() === '')
    throw new Refusal(400, `${name} is required.`);
  return value.trim();
}

export function optionalString(body: Fields, name: string): string | undefined {
  return body[name] === undefined || body[name] === null ? undefined : stringField(body, name);
}

export function flag(body: Fields, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value !== 'boolean') throw new Refusal(400, `${name} must be true or false.`);
  return value;
}

export function stringList(body: Fields, name: string): string[] {
  const value = body[name];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw new Refusal(400, `${name} must be an array of strings.`);
  return value;
}

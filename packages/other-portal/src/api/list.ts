import { json, Refusal, type Answer } from '../answer.ts';

const pageSize = 20;

/**
 * A page of a list. A page after the last is empty, and an empty list has no pages. The
 * envelope also carries the number of items, which the specification does not name.
 */
export function listAnswer(items: unknown[], query: URLSearchParams, parameter: string): Answer {
  const pageIndex = Number(query.get(parameter) ?? 1);
  if (!Number.isInteger(pageIndex) || pageIndex < 1)
    throw new Refusal(400, `${parameter} must be 1 or more.`);
  const totalPages = Math.ceil(items.length / pageSize);
  return json({
    pageIndex,
    totalPages,
    totalCount: items.length,
    hasNextPage: pageIndex < totalPages,
    hasPreviousPage: pageIndex > 1,
    data: items.slice((pageIndex - 1) * pageSize, pageIndex * pageSize),
  });
}

/** Filters compare the whole value, in either case. An empty filter is no filter. */
export function matches(query: URLSearchParams, filter: string, value: string): boolean {
  const wanted = query.get(filter);
  return !wanted || wanted.toLowerCase() === value.toLowerCase();
}

/** UTC as an offset with seven fractional digits, as .NET writes it. */
export const timestamp = (date: Date): string => date.toISOString().replace('Z', '0000+00:00');

import { z } from 'zod';

/** A part of a link: literal text, or the name of the field whose value stands there. */
export type LinkPart = string | { field: string };

/** Scheme and host, up to the first character of the path, query or fragment. */
const origin = /^https?:\/\/([\p{L}\p{N}._-]+|\[[\da-f:.]+\])(:\d{1,5})?(?=[/?#]|$)/iu;
const mail = /^mailto:/i;

/** Splits a link at its fields in braces. */
export const splitLink = (text: string): LinkPart[] =>
  text
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? { field: part.slice(1, -1) } : part));

function describeProblem(text: string): string | undefined {
  if (!origin.test(text) && !mail.test(text))
    return 'must begin with https:// or http:// and a host, or with mailto:; a {field} can stand only after them';
  const literal = splitLink(text)
    .filter((part) => typeof part === 'string')
    .join('');
  if (/[{}]/.test(literal)) return 'has a brace without its pair; write fields such as {Order ID}';
  if (/[\s\\\p{Cc}]/u.test(literal))
    return 'has a space, a backslash or a control character; write %20 for a space';
  if (/\/(\.|%2e){1,2}(?=[/?#]|$)/i.test(literal)) return 'has a path with "." or ".."; remove it';
  return undefined;
}

/**
 * An address with values of a row. Scheme and host are literal, so that no value can change where a link
 * leads.
 */
export const linkSchema = z
  .string()
  .min(1)
  .max(2_000)
  .superRefine((text, context) => {
    const problem = describeProblem(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({
    id: 'link',
    description:
      'An address that opens in a new tab, such as https://example.com/orders/{Order ID}. {field} is the value of a dimension of the table; it can stand in the path, the query and the fragment.',
  });

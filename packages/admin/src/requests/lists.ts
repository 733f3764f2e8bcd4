import { requestLimits, storableText } from '@portal-embed/contract';
import { z } from 'zod';

/** A row with a name. */
export interface Named {
  id: string;
  name: string;
}

/** One page of a list. */
export interface AdminList<Item> {
  items: Item[];
  totalCount: number;
  totalPages: number;
}

/** A name or another line of text, without spaces at its ends. */
export const line = (max: number) => storableText(max).trim().min(1);

/** Search text: a part of a name. Empty finds all. */
export const search = storableText(requestLimits.name).default('');

export const listQuery = {
  search,
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
};

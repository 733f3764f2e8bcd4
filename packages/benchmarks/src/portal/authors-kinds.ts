import type { Authors } from './authors-seed.ts';

export const kinds = ['checks', 'previews', 'saves', 'applies', 'views'] as const;

/** A kind of request of the contributor. */
export type Kind = (typeof kinds)[number];

export interface LoadOptions extends Authors {
  origin: string;
  /** Cookie of the contributor's sign-in. */
  cookie: string;
  /** Bearer of the contributor's session as a reader. */
  bearer: string;
  /** Kinds of requests to send. */
  kinds: readonly Kind[];
}

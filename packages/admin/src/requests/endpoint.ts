import type { z } from 'zod';

/**
 * Who may call an endpoint: `everyone` also without a session, `signed-in` with one, `administrator`
 * only administrators of the organization and operators, `operator` only operators. Services check
 * the rest.
 */
export type Access = 'everyone' | 'signed-in' | 'administrator' | 'operator';

/** How far the data files of a request are read. */
export interface Progress {
  /** The values are read once or several times before the rows are written. */
  phase: 'read' | 'write';
  /** Of this pass, from 0 to 100. */
  percent: number;
}

/** A request of the administration pages. `{organizationId}` is the organization of the caller. */
export interface AdminEndpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/admin/api`. Parameters whose name ends in `Id` are UUIDs. */
  path: string;
  access: Access;
  /**
   * Whether the person must have been confirmed in the last minutes. Handlers check it where it depends
   * on the input.
   */
  isFresh?: true;
  /** Whether the answer is a file, which the page links to. */
  isFile?: true;
  /** Whether it parses or computes what an author writes, which has a budget of its own. */
  isAuthoring?: true;
  /** Whether the body is a file, which the handler reads as it arrives. */
  isUpload?: true;
  /** Whether the answer may begin with lines of `Progress`, while data files are read. */
  hasProgress?: true;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Maximum bytes of the body. Default: 64,000. */
  bodyLimit?: number;
}

import { PortalError } from '../errors.ts';
import { DraftError } from './draft-error.ts';
import * as drafts from './drafts.ts';

/** As `draftContent` of the report engine. @throws `invalid_request` if the file cannot be read */
export const draftContent = (
  ...input: Parameters<typeof drafts.draftContent>
): Promise<drafts.Draft> => drafts.draftContent(...input).catch(refuse);

/**
 * As `initContent` of the report engine.
 *
 * @throws `invalid_request` if the file cannot be read, its numbers have two readings, or one of the new
 *   files exists
 */
export const initContent = (
  ...input: Parameters<typeof drafts.initContent>
): Promise<drafts.InitResult> => drafts.initContent(...input).catch(refuse);

function refuse(error: unknown): never {
  if (!(error instanceof DraftError)) throw error;
  throw new PortalError('invalid_request', error.message);
}

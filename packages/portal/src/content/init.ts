import type { FileReading } from '#admin/requests';
import * as engine from '#report-engine';

import { PortalError } from '../errors.ts';

/**
 * As `draftContent` of the report engine.
 *
 * @throws `invalid_request` if the file cannot be read
 */
export const draftContent = (
  ...input: Parameters<typeof engine.draftContent>
): Promise<engine.Draft> => engine.draftContent(...input).catch(refuse);

type DraftOptions = Parameters<typeof engine.draftContent>[1];

/** How an author has chosen to read a file. The engine refuses unknown options. */
export const toOptions = ({ csv, xlsx, fields }: FileReading) =>
  ({ answers: { options: { ...csv, ...xlsx }, fields } }) as Pick<DraftOptions, 'answers'>;

/**
 * As `initContent` of the report engine.
 *
 * @throws `invalid_request` if the file cannot be read, it has questions without an answer, or one of the
 *   new files exists
 */
export const initContent = (
  ...input: Parameters<typeof engine.initContent>
): Promise<engine.InitResult> => engine.initContent(...input).catch(refuse);

function refuse(error: unknown): never {
  if (!(error instanceof engine.DraftError)) throw error;
  throw new PortalError('invalid_request', error.message);
}

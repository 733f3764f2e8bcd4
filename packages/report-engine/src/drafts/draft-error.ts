/** No dataset can be drafted for a data file. The message is a sentence for its author. */
export class DraftError extends Error {
  override name = 'DraftError';
}

import { PortalError } from '../errors.ts';
import { formatMistake, formatPlace, type Mistake } from './mistakes.ts';

const maxNamedInDetail = 5;
const maxListedInErrors = 100;

/** The content has mistakes. Nothing was changed. */
export class ContentError extends PortalError {
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    const named = mistakes.slice(0, maxNamedInDetail).map(formatMistake);
    const rest = mistakes.length - named.length;
    super(
      'invalid_content',
      `Nothing was changed, because the content has mistakes: ${named.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`,
      {
        errors: mistakes
          .slice(0, maxListedInErrors)
          .map((mistake) => ({ path: formatPlace(mistake), message: mistake.message })),
      },
    );
    this.mistakes = mistakes;
  }
}

import english from 'page-kit/messages/en.json';

import { createFormats } from '../format/create-formats.ts';

/** English texts, and numbers and times of the United States. */
export const formats = createFormats('en-US', english);

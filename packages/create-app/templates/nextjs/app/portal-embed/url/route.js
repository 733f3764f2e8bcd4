import { getMint } from '../../../mint.js';

export const POST = (request) => getMint()(request);

// Next.js would refuse these methods without saying which one is allowed.
export { POST as GET, POST as PUT, POST as PATCH, POST as DELETE, POST as OPTIONS };

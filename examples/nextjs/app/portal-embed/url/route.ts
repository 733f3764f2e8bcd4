// #region route
import { getMint } from '../../../lib/policy.ts';

export const POST = (request: Request) => getMint()(request);
// Next.js would refuse these methods without saying which one is allowed.
export { POST as GET, POST as PUT, POST as PATCH, POST as DELETE, POST as OPTIONS };
// #endregion

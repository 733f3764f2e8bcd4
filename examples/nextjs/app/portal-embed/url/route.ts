// #region route
import { getMint } from '../../../lib/policy.ts';

export const POST = (request: Request) => getMint()(request);
export const OPTIONS = POST;
// #endregion

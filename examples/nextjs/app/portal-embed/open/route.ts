// #region route
import { getMint } from '../../../lib/policy.ts';

export const GET = (request: Request) => getMint().open(request);
// #endregion

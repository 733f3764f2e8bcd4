/** For programs that set up a portal: the database and the operator's functions. */
export { createApiKey } from './api-keys/service.ts';
export { operatorContext, type Context } from './actor/actor.ts';
export { inviteUser } from './auth/sign-in/service.ts';
export { authenticateKey } from './auth/api-key.ts';
export { applyContent } from './content/service.ts';
export {
  inTransaction,
  openDatabase,
  type Database,
  type OpenDatabase,
} from './db/connection/open.ts';
export { PortalError } from './errors.ts';
export { createGroup, findGroup } from './groups/service.ts';
export {
  createOrganization,
  findOrganization,
  findOrigins,
  setOrigins,
  type Origins,
} from './organizations/service.ts';
export { importDataset, importReport, linkReports, listReports } from './reports/service.ts';
export { createRole, linkUsers } from './rls/service.ts';
export { createUser } from './users/service.ts';

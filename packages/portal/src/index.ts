/** For programs that set up a portal: the database and the operator's functions. */
export { createApiKey } from './api-keys/service.ts';
export { operatorContext, type Context } from './actor/actor.ts';
export { inviteUser } from './sign-in/service.ts';
export { authenticateKey } from './api-keys/authenticate.ts';
export { applyContent } from './content/service.ts';
export {
  inTransaction,
  openDatabase,
  type Database,
  type OpenDatabase,
} from './db/connection/open.ts';
export { PortalError } from './errors.ts';
export { findGroup } from './groups/service.ts';
export { createGroup } from './access/create-group.ts';
export {
  createOrganization,
  findOrganization,
  findOrigins,
  setOrigins,
  type Origins,
} from './organizations/service.ts';
export { listReports } from './catalogue/service.ts';
export { linkReports } from './access/report-links.ts';
export { linkUsers } from './access/role-links.ts';
export { createUser } from './users/service.ts';

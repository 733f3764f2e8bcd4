export { startOtherPortal, type OtherPortal, type OtherPortalOptions } from './server.ts';
export { seed } from './seed.ts';
export type { Permission } from './api/endpoints.ts';
export { addUser, type PortalState, type User } from './state.ts';

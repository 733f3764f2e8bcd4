export { readDemoEnvironment, writeDemoEnvironment, type DemoEnvironment } from './environment.ts';
export { administrator, people, tenants, type TenantSlug } from './people.ts';
export { inviteAdministrator, seedDemo, type DemoAddresses } from './seed.ts';

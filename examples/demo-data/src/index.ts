export { readDemoEnvironment, writeDemoEnvironment, type DemoEnvironment } from './environment.ts';
export { people, tenants, type TenantSlug } from './people.ts';
export { seedDemo, type DemoAddresses } from './seed.ts';

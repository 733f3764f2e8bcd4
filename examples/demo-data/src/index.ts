export { linkDatasets } from './datasets.ts';
export { readDemoEnvironment, writeDemoEnvironment, type DemoEnvironment } from './environment.ts';
export { people, tenants, type TenantSlug } from './people.ts';
export { superstore } from './reports.ts';
export { seedDemo, type DemoAddresses } from './seed.ts';

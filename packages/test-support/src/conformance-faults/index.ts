export type { Fault } from './fault.ts';
export { startFaultyProxy, type FaultyProxy } from './faulty-proxy.ts';
export { hostFaults, type HostContext } from './host-faults.ts';
export { hostMisses, portalMisses } from './misses.ts';
export { portalFaults } from './portal-faults.ts';
export type { PortalContext } from './portal-plants.ts';

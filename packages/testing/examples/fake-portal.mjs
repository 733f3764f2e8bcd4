import { startFakePortal } from '@portal-embed/testing';

const portal = await startFakePortal({ users: ['ada@acme.example'] });
console.log(JSON.stringify(portal.tenant));
process.stdin.resume().on('end', () => portal.close());

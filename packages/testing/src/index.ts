export { disconnect, htmlAnswer, jsonAnswer, rateLimit, refuse, slow } from './portal/answers.ts';
export type { FakeAnswer, ReceivedRequest } from './portal/answers.ts';
export type { FakeUser } from './portal/organization.ts';
export type { ServedPage } from './portal/served-pages.ts';
export { startFakePortal } from './portal/start-fake-portal.ts';
export type { FakePortal, FakePortalOptions, FakeTenant } from './portal/start-fake-portal.ts';
export type { MintedUrl } from './page/identity-urls.ts';
export type { PageScenario } from './page/scenario.ts';

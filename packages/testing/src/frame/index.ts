export { fakeEmbeds, type FakeEmbeds, type FakeEmbedsOptions } from './fake-embeds.ts';
export type { Scenario } from './endpoint.ts';
export type { EmbeddedPage } from './fake-frame.ts';

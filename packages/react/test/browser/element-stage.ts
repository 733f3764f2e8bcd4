import type { PortalEmbedElement } from '../../src/element.ts';
import { setUpSharedPage } from './browser.ts';

/** Starts a portal, a host and an empty page for each test. */
export function setUpElement() {
  const stage = setUpSharedPage('element-app.ts');
  const add = (html: string) =>
    stage.page.evaluate((markup) => {
      document.querySelector('#root')!.innerHTML = markup;
    }, html);
  const inElement = <Result>(act: (element: PortalEmbedElement) => Result) =>
    stage.page.$eval('portal-embed', act as (element: Element) => Result);
  const heading = () =>
    stage.page.frameLocator('portal-embed iframe:not([inert])').locator('h1').textContent();
  return { stage, add, inElement, heading };
}

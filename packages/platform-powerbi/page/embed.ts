import { factories, models, service, type Report } from 'powerbi-client';

import type { Configuration } from './configure.ts';

/** Narrower pages get the phone layout of a report that has one. Unit: CSS pixels. */
const phoneWidth = 640;

/**
 * Starts to show a report in the element.
 *
 * @param isIsolated whether the browser shows only frames with `credentialless`
 */
export function embed(
  element: HTMLElement,
  configuration: Configuration,
  isIsolated: boolean,
): Report {
  if (isIsolated) isolateFrames(element);
  const client = new service.Service(
    factories.hpmFactory,
    factories.wpmpFactory,
    factories.routerFactory,
  );
  if (innerWidth >= phoneWidth) return client.embed(element, configuration) as Report;
  const report = client.load(element, configuration) as Report;
  report.on('loaded', () => {
    report.off('loaded');
    void renderForPhone(report).catch(reportError);
  });
  return report;
}

/** Power BI cannot change to or from the phone layout once a report is drawn. */
async function renderForPhone(report: Report): Promise<void> {
  const configuration = report.config as Configuration;
  if (await hasPhoneLayout(report))
    configuration.settings = {
      ...configuration.settings,
      layoutType: models.LayoutType.MobilePortrait,
    };
  await report.render(configuration);
}

async function hasPhoneLayout(report: Report): Promise<boolean> {
  try {
    const pages = await report.getPages();
    const found = await Promise.all(
      pages.map((page) => page.hasLayout(models.LayoutType.MobilePortrait)),
    );
    return found.includes(true);
  } catch (error) {
    reportError(error);
    return false;
  }
}

/** The client creates its frame itself, and the attribute has no effect on a frame in the document. */
function isolateFrames(element: HTMLElement): void {
  const append = element.appendChild.bind(element);
  element.appendChild = (child) => {
    if (child instanceof HTMLIFrameElement) child.setAttribute('credentialless', '');
    return append(child);
  };
}

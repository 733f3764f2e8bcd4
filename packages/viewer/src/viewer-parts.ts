import type { PortalMessage } from '@portal-embed/contract/frame';

import type { ChartCode } from './chart-code.ts';
import type { Formats } from './format/create-formats.ts';
import type { ViewerSession } from './requests/viewer.ts';
import type { PortalApi } from './session/portal-api.ts';

/** The dependencies of a viewer. */
export interface ViewerParts {
  session: ViewerSession;
  /** Number of the `open` that brought the session; `undefined` if it came with the page. */
  id?: number | undefined;
  createApi: (bearer: string) => PortalApi;
  /** Sends a message to the host. */
  post: (message: PortalMessage) => void;
  /** Whether a host has connected. A host can open a new session. */
  hasHost: () => boolean;
  showPath: (path: string) => void;
  /** Loads the code that draws charts, after the first numbers are painted; `null` if that fails. */
  loadCharts: () => Promise<ChartCode | null>;
  /** Texts and formats in the reader's language. */
  formats: Formats;
}

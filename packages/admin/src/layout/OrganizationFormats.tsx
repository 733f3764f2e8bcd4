import { useEffect, useState, type ReactNode } from 'react';

import { Loading } from '../kit/Loaded.tsx';
import { FormatsContext, loadFormats, type Formats } from '../messages/messages.ts';
import { useIdentity } from '../session/identity.ts';

/**
 * Shows times in the time zone of the person's organization, and its language to a browser whose
 * languages have no texts.
 */
export function OrganizationFormats({ children }: { children: ReactNode }) {
  const { organization } = useIdentity();
  const [formats, setFormats] = useState<Formats>();
  const { language = null, timeZone } = organization ?? {};
  useEffect(() => {
    const load = async () => {
      const loaded = await loadFormats(navigator.languages, { language, timeZone });
      document.documentElement.lang = loaded.language;
      setFormats(loaded);
    };
    void load();
  }, [language, timeZone]);
  return formats ? <FormatsContext value={formats}>{children}</FormatsContext> : <Loading />;
}

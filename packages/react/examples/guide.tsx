import { useRef, useState } from 'react';

import {
  createEmbedError,
  PortalEmbed,
  PortalEmbedProvider,
  usePortalEmbed,
} from '../src/index.ts';
import type { EmbedHandle, FetchIdentityUrl, Slot } from '../src/index.ts';

const noted: string[] = [];
const reportToYourMonitoring = (...words: string[]) => noted.push(...words);

const openRequestForm = (reason: string) => open(`/request-access?reason=${reason}`);

const salesReport = '0b2c1f0e-6a51-4a43-9d2c-8f0f4d1c2b3a';

// #region quick-start
export const Sales = () => <PortalEmbed reportId={salesReport} title="Sales" />;
// #endregion

// #region filters
export function SalesByRegion() {
  const [region, setRegion] = useState('West');
  return (
    <>
      <button onClick={() => setRegion('East')}>East</button>
      <PortalEmbed
        reportId={salesReport}
        title={`Sales, ${region}`}
        customFilters={[{ key: 'Superstore/Region', value: region }]}
      />
    </>
  );
}
// #endregion

// #region handle
export function SalesWithRefresh() {
  const embed = useRef<EmbedHandle>(null);
  return (
    <>
      <button onClick={() => embed.current?.refresh()}>Refresh</button>
      <PortalEmbed
        ref={embed}
        title="Sales"
        refreshInterval={10 * 60_000}
        onError={(error) => reportToYourMonitoring(error.cause, error.message)}
      />
    </>
  );
}
// #endregion

// #region slots
const describeFailure: Slot = (error, retry) => (
  <>
    We could not show this ({error?.cause}). <button onClick={retry}>Again</button>
  </>
);

export const SalesInOurWords = () => (
  <PortalEmbed
    title="Sales"
    texts={{ loading: 'One moment', retry: 'Again' }}
    signedOut={<a href="/login">Sign in</a>}
    error={describeFailure}
    onRequestAccess={(error) => openRequestForm(error.cause)}
  />
);
// #endregion

// #region look
export const SalesInGerman = () => (
  <PortalEmbed title="Umsatz" theme="dark" accentColor="#1a7f37" locale="de-DE" />
);
// #endregion

// #region fetch
const fetchIdentityUrl: FetchIdentityUrl = async (request, { signal }) =>
  fetch('https://api.example/reports/url', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await getToken()}` },
    body: JSON.stringify(request),
    signal,
  });

export const SalesWithToken = () => <PortalEmbed fetchIdentityUrl={fetchIdentityUrl} />;
// #endregion

async function getToken(): Promise<string> {
  throw createEmbedError('not_signed_in');
}

// #region provider
export const Dashboard = () => (
  <PortalEmbedProvider theme="dark" hideNavbar lazy texts={{ loading: 'One moment' }}>
    <PortalEmbed reportId={salesReport} title="Sales" />
    <PortalEmbed title="All reports" hideNavbar={false} />
  </PortalEmbedProvider>
);
// #endregion

// #region hook
export function OwnFrame() {
  const { ref, state, handle } = usePortalEmbed({ reportId: salesReport, title: 'Sales' });
  return (
    <figure>
      <figcaption>
        Sales ({state.status}) <button onClick={handle.refresh}>Refresh</button>
      </figcaption>
      <div ref={ref} style={{ position: 'relative', height: '30rem' }} />
    </figure>
  );
}
// #endregion

// #region base
export const SalesWithForeignBase = () => (
  <PortalEmbed title="Sales" endpoint={`${location.origin}/portal-embed/url`} />
);
// #endregion

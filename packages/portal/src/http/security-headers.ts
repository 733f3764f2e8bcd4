import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Security headers of every answer. Strict-Transport-Security only if `publicUrl` is https. */
export const securityHeaders = (publicUrl: string): RequestHandler =>
  helmet({
    // Pages set their own; an API answer is no document.
    contentSecurityPolicy: false,
    // frame-ancestors decides who may frame a page.
    frameguard: false,
    // The embedding page probes whether the portal answers at all.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: publicUrl.startsWith('https:'),
    // For browsers and plug-ins that are gone.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });

const tenant = (name: string, env = process.env) => ({
  apiUrl: env['REPORTS_URL']!,
  apiKey: env[`${name}_API_KEY`]!,
  organizationId: env[`${name}_ORGANIZATION_ID`]!,
  portalUrl: env[`${name}_BASE_URL`]!,
  allowedOrigins: [`https://www.${name.toLowerCase()}.example`],
});

/** The portal of each host name of your application. */
export const tenants = { 'acme.localhost': tenant('ACME'), 'globex.localhost': tenant('GLOBEX') };

/** The tenants with the variables of `.env`, for `npm run check`. */
process.loadEnvFile();
export const { tenants } = await import('../policy.js');

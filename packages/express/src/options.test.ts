import { describe, expect, it } from 'vitest';

import { portalCsp, portalEmbed } from './index.ts';
import type { PortalEmbedOptions, PortalUser } from './index.ts';

const tenant = {
  apiUrl: 'https://portal.example',
  apiKey: 'pk_1',
  organizationId: '11111111-0000-4000-8000-000000000001',
  portalUrl: 'https://acme.portal.example',
};
const user = () => null;

describe('construction refuses', () => {
  const withTenant = (changes: object, name = 'acme.example') => ({
    user,
    tenants: { [name]: { ...tenant, ...changes } },
  });
  it.each([
    ['no options', undefined, 'needs an object with tenants and user'],
    ['no tenants', { user }, 'tenants must be a table of host names'],
    ['an empty table', { user, tenants: {} }, 'add at least one host name'],
    ['no user', { tenants: { 'a.example': tenant } }, 'user must be a function'],
    ['an unknown option', { ...withTenant({}), users: user }, 'has no option "users"; it knows'],
    ['authorize: true', { ...withTenant({}), authorize: true }, 'authorize must be a function'],
    ['a timeout of 0', { ...withTenant({}), limits: { timeoutMs: 0 } }, 'limits.timeoutMs must be'],
    ['an unknown limit', { ...withTenant({}), limits: { mints: 1 } }, 'limits has no "mints"'],
    ['a hook that is no function', { ...withTenant({}), onMint: {} }, 'onMint must be a function'],
    [
      'half a logger',
      { ...withTenant({}), logger: { info() {} } },
      'logger must have the function',
    ],
    [
      'a protocol in a host name',
      withTenant({}, 'https://a.example'),
      'must be a host name such as',
    ],
    ['a port in a host name', withTenant({}, 'a.example:3000'), 'must be a host name such as'],
    ['a wildcard', withTenant({}, '*.example'), 'must be a host name such as'],
    ['an unknown field', withTenant({ url: '' }), 'tenant "acme.example": has no field "url"'],
    ['a missing key', withTenant({ apiKey: undefined }), 'tenant "acme.example": apiKey must be'],
    ['a wrong apiUrl', withTenant({ apiUrl: 'portal' }), 'tenant "acme.example": apiUrl must be'],
    [
      'an organization by name',
      withTenant({ organizationId: 'acme' }),
      'organizationId must be the UUID',
    ],
    ['a portalUrl without protocol', withTenant({ portalUrl: 'acme.test' }), 'portalUrl must be'],
    ['a script as portalUrl', withTenant({ portalUrl: 'javascript:1' }), 'portalUrl must be'],
    ['a page as origin', withTenant({ allowedOrigins: ['https://a.test/'] }), 'must be an origin'],
  ])('%s, and says what to fix', (_, options, message) => {
    const create = () => portalEmbed(options as PortalEmbedOptions<PortalUser>);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });

  it('the same host name in two spellings', () => {
    const tenants = { 'acme.example': tenant, 'ACME.example': tenant };
    expect(() => portalCsp({ tenants })).toThrow('"acme.example" is there twice');
  });
});

import { describe, expect, it } from 'vitest';

import { cachedTenants, portalCsp, portalEmbed } from './index.ts';
import type {
  PortalCspOptions,
  PortalEmbedOptions,
  PortalUser,
  TenantCacheOptions,
} from './index.ts';

const tenant = {
  apiUrl: 'https://portal.example',
  apiKey: 'pk_1',
  organizationId: '11111111-0000-4000-8000-000000000001',
  portalUrl: 'https://acme.portal.example',
};
const user = () => null;

const withTenant = (changes: object, name = 'acme.example') => ({
  user,
  tenants: { [name]: { ...tenant, ...changes } },
});

it('an apiUrl without https is accepted with allowInsecure', () => {
  const insecure = { apiUrl: 'http://portal.example', allowInsecure: true };
  expect(portalEmbed(withTenant(insecure))).toBeTypeOf('function');
});

describe('construction refuses', () => {
  it.each([
    ['no options', undefined, 'needs an object with tenants and user'],
    ['no tenants', { user }, 'tenants must be a table of host names'],
    ['an empty table', { user, tenants: {} }, 'Add at least one host name'],
    ['no user', { tenants: { 'a.example': tenant } }, 'user must be a function'],
    [
      'an unknown option',
      { ...withTenant({}), users: user },
      'users is not a known field. Options: tenants, user,',
    ],
    ['authorize: true', { ...withTenant({}), authorize: true }, 'authorize must be a function'],
    [
      'allowOpen as text',
      { ...withTenant({}), allowOpen: 'yes' },
      'allowOpen must be true or false',
    ],
    ['a timeout of 0', { ...withTenant({}), limits: { timeoutMs: 0 } }, 'limits.timeoutMs must be'],
    ['limits of 5', { ...withTenant({}), limits: 5 }, 'limits must be an object'],
    ['limits of null', { ...withTenant({}), limits: null }, 'limits must be an object'],
    ['a list of tenants', { user, tenants: [tenant] }, 'tenants must be a table of host names'],
    ['an origin of 5', withTenant({ allowedOrigins: 5 }), 'allowedOrigins must be a list'],
    ['no logger', { ...withTenant({}), logger: null }, 'logger must have the function'],
    [
      'an unknown limit',
      { ...withTenant({}), limits: { mints: 1 } },
      'limits.mints is not a known field',
    ],
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
    [
      'an unknown field',
      withTenant({ url: '' }),
      'tenant "acme.example": url is not a known field',
    ],
    [
      'a missing key',
      withTenant({ apiKey: undefined }),
      'tenant "acme.example": apiKey is missing',
    ],
    ['a wrong apiUrl', withTenant({ apiUrl: 'portal' }), 'tenant "acme.example": apiUrl must be'],
    [
      'an organization by name',
      withTenant({ organizationId: 'acme' }),
      'organizationId must be the UUID',
    ],
    ['a portalUrl without protocol', withTenant({ portalUrl: 'acme.test' }), 'portalUrl must be'],
    [
      'an apiUrl on another machine without https',
      withTenant({ apiUrl: 'http://portal.example' }),
      'In a network that you trust, set allowInsecure: true',
    ],
    ['any portalUrl', withTenant({ portalUrl: 'https://*.portal.example' }), 'portalUrl must be'],
    ['a directive as portalUrl', withTenant({ portalUrl: 'https://a;sandbox' }), 'portalUrl must'],
    ['a policy as portalUrl', withTenant({ portalUrl: 'https://a,sandbox' }), 'portalUrl must be'],
    ['a script as portalUrl', withTenant({ portalUrl: 'javascript:1' }), 'portalUrl must be'],
    ['a page as origin', withTenant({ allowedOrigins: ['https://a.test/'] }), 'must be an origin'],
  ])('%s, and says what to fix', (_, options, message) => {
    const create = () => portalEmbed(options as PortalEmbedOptions<PortalUser>);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
  });

  it.each([
    [{ maxAgeMs: 0 }, 'maxAgeMs must be a whole number'],
    [{ maxAgeMs: Number.NaN }, 'maxAgeMs must be a whole number'],
    [{ maxAgeMs: -1 }, 'maxAgeMs must be a whole number'],
    [{ maxAgeMs: '60000' }, 'maxAgeMs must be a whole number'],
    [{ maxMissAgeMs: 0 }, 'maxMissAgeMs must be a whole number'],
    [{ maxEntries: 0 }, 'maxEntries must be a whole number'],
    [{ maxAge: 1 }, 'maxAge is not a known field. Options: maxAgeMs, maxMissAgeMs, maxEntries'],
    [null, 'options must be an object'],
  ])('%o of cachedTenants', (options, message) => {
    const create = () => cachedTenants(async () => null, options as TenantCacheOptions);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(`cachedTenants: ${message}`);
  });

  it.each([
    [undefined, 'needs an object with tenants'],
    [
      { tenants: { 'a.example': tenant }, contentSecurityPolcy: {} },
      'contentSecurityPolcy is not a known field. Options: tenants, contentSecurityPolicy',
    ],
  ])('%o of portalCsp', (options, message) => {
    const create = () => portalCsp(options as PortalCspOptions);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(`portalCsp: ${message}`);
  });

  it('the same host name in two spellings', () => {
    const tenants = { 'acme.example': tenant, 'ACME.example': tenant };
    expect(() => portalCsp({ tenants })).toThrow('"acme.example" is there twice');
  });
});

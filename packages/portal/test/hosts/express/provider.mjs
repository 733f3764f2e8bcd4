/** An OpenID provider that signs anybody in with their e-mail, without a password. */
import { Provider } from 'oidc-provider';

const { PORT, ISSUER_BASE_URL, CLIENT_ID, CLIENT_SECRET } = process.env;

const provider = new Provider(ISSUER_BASE_URL, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: ['https://host.example/callback'],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  claims: { openid: ['sub'], email: ['email'] },
  conformIdTokenClaims: false,
  cookies: { keys: ['a secret'] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: id }) }),
});
// The application's port is not known yet.
provider.Client.prototype.redirectUriAllowed = (uri) => uri.endsWith('/callback');
provider.listen(Number(PORT), '127.0.0.1');

/** `node provider.mjs KEY CERTIFICATE`: an identity provider that has only its discovery document. */
import fs from 'node:fs';
import https from 'node:https';

const issuer = 'https://login.acme.example';
const [key, cert] = process.argv.slice(2).map((file) => fs.readFileSync(file));

https
  .createServer({ key, cert }, (_, response) => {
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
    );
  })
  .listen(443, '::1');

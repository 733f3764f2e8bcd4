/** Why a TLS connection to a database failed, and what to do. Both begin with a lower-case letter. */
export interface TlsFailure {
  cause: string;
  advice: string;
}

const trustAdvice =
  'add sslrootcert=FILE to the address, with the PEM file of the authority, or set NODE_EXTRA_CA_CERTS=FILE for the portal';

const clockAdvice = 'renew it, or correct the clock of this machine';

const clientCertificateAdvice =
  'add sslcert=FILE and sslkey=FILE to the address of PostgreSQL, with a certificate that the server accepts; for ClickHouse, let the server accept the user without one';

/** Causes by codes of Node and OpenSSL. */
const byCode: readonly [RegExp, TlsFailure][] = [
  [
    /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    {
      cause: "the server's certificate is self-signed",
      advice:
        'add sslrootcert=FILE to the address, with the PEM file of this certificate, or give the server a certificate of an authority',
    },
  ],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?)|CERT_UNTRUSTED)$/,
    {
      cause:
        "the server's certificate was issued by an authority that the portal does not know, or the server does not send its intermediate certificates",
      advice: trustAdvice,
    },
  ],
  [/^CERT_HAS_EXPIRED$/, { cause: "the server's certificate has expired", advice: clockAdvice }],
  [
    /^CERT_NOT_YET_VALID$/,
    { cause: "the server's certificate is not valid yet", advice: clockAdvice },
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    {
      cause: "the server's certificate is for another host name",
      advice:
        'use a host name of the certificate in the address, or issue a certificate for this host',
    },
  ],
  [
    /^ERR_OSSL_/,
    {
      cause: 'a certificate or key file in the address cannot be used',
      advice:
        'check the PEM files of sslrootcert, sslcert and sslkey, which must not have a passphrase',
    },
  ],
  [
    /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|EPROTO)/,
    {
      cause: "the server's certificate or its TLS settings are not accepted",
      advice: 'check the certificate and the TLS versions of the server',
    },
  ],
];

/** Causes by messages of PostgreSQL, its driver and OpenSSL, whose code can be just `EPROTO`. */
const byMessage: readonly [RegExp, TlsFailure][] = [
  [
    /alert (unknown ca|bad certificate|unsupported certificate|certificate (unknown|expired|revoked|required))/i,
    {
      cause: "the server does not accept the portal's client certificate",
      advice: clientCertificateAdvice,
    },
  ],
  [
    /:(wrong version number|packet length too long):/,
    {
      cause: 'the server does not speak TLS at this port',
      advice: 'check the port of the address, or turn on TLS at the server',
    },
  ],
  [
    /^The server does not support SSL connections$/,
    {
      cause: 'the server does not support TLS, which sslmode in the address requires',
      advice:
        'set ssl = on in postgresql.conf, or, if the network is trusted, write sslmode=disable',
    },
  ],
  [
    /^connection requires a valid client certificate$/,
    { cause: 'the server requires a client certificate', advice: clientCertificateAdvice },
  ],
  [
    /^certificate authentication failed/,
    {
      cause: 'the client certificate is for another database user',
      advice: 'use a certificate whose common name is the user, or map its name in pg_ident.conf',
    },
  ],
  [
    /^(no pg_hba\.conf entry|pg_hba\.conf rejects connection) .*no encryption$/,
    {
      cause: 'the server does not accept this user without TLS',
      advice:
        'add sslmode=verify-full to the address; if it has another sslmode, check pg_hba.conf of the server',
    },
  ],
];

/** Explains an error of a TLS connection; `undefined` if it has another cause. */
export function explainTlsFailure(error: unknown): TlsFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return (
    byMessage.find(([pattern]) => pattern.test(error.message))?.[1] ??
    byCode.find(([pattern]) => pattern.test(String(code)))?.[1]
  );
}

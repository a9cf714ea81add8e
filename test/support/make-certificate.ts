/**
 * Creates certificates in tests (RFC 5280). They are self-signed or signed by another certificate, for localhost and
 * 127.0.0.1 or another name.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface MadeCertificate {
  /** The certificate in PEM format. The key has the same format. */
  readonly cert: string;
  readonly key: string;
}

export interface SigningCertificate extends MadeCertificate {
  /** Signs other certificates with the key of this certificate. */
  readonly signer: Signer;
}

interface Signer {
  readonly name: Buffer;
  readonly privateKey: KeyObject;
}

interface Kind {
  /** The signer of the certificate. By default, the certificate is self-signed. */
  readonly signer?: Signer;
  /** If true, the certificate may sign other certificates. */
  readonly isAuthority?: boolean;
  readonly commonName?: string;
}

const BOOLEAN = 0x01;
const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');
const ALTERNATIVE_NAMES = Buffer.from('551d11', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('551d13', 'hex');

/** Creates a certificate that is valid from a month ago until the instant, truncated to the second. */
export function makeCertificate(
  expiresAtMs: number,
  host = 'localhost',
  { signer, isAuthority = false, commonName: given }: Kind = {},
): SigningCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, der(OBJECT_ID, ECDSA_WITH_SHA256));
  const commonName = der(
    UTF8_STRING,
    Buffer.from(given ?? `Keepwatch test ${randomBytes(8).toString('hex')}`),
  );
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), commonName)));
  const names = der(
    SEQUENCE,
    der(DNS_NAME, Buffer.from(host)),
    ...(host === 'localhost' ? [der(IP_ADDRESS, Buffer.from([127, 0, 0, 1]))] : []),
  );
  const extension = der(SEQUENCE, der(OBJECT_ID, ALTERNATIVE_NAMES), der(OCTET_STRING, names));
  const mayAct = der(OCTET_STRING, der(SEQUENCE, der(BOOLEAN, Buffer.from([0xff]))));
  const authority = der(SEQUENCE, der(OBJECT_ID, BASIC_CONSTRAINTS), mayAct);
  const issuer = signer ?? { name, privateKey };
  const signed = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    issuer.name,
    der(SEQUENCE, timeOf(Date.now() - 30 * 86_400_000), timeOf(expiresAtMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension, ...(isAuthority ? [authority] : []))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', signed, issuer.privateKey)]);
  const whole = der(SEQUENCE, signed, algorithm, der(BIT_STRING, signature));
  const lines = whole.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signer: { name, privateKey },
  };
}

function timeOf(atMs: number): Buffer {
  const text = new Date(atMs).toISOString().replaceAll(/\.\d+|[-:T]/g, '');
  return der(GENERALIZED_TIME, Buffer.from(text));
}

/** Encodes tag, length and contents in DER. A long length uses as many bytes as it needs. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length]), bytes, content]);
}

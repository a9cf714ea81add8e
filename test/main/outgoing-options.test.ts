/**
 * Tests the options of outgoing requests. Our own ports come from URLs in the settings, and extra authorities come from
 * a file.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPost } from '../../src/checks/post';
import { listPorts } from '../../src/config/own-ports';
import { buildOutgoingOptions } from '../../src/main/outgoing-options';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback-server';
import { certificate, testAuthority } from '../support/misbehaving-target';
import { buildDefinition, buildRunner } from '../support/step-builder';

const settings = {
  KEEPWATCH_ALLOWED_PRIVATE_TARGETS: ['127.0.0.0/8'],
  KEEPWATCH_DENIED_TARGETS: [],
  KEEPWATCH_OWN_PORTS: [9_100],
};

let folder: string;
let server: LoopbackServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-'));
  server = await listenOnLoopback(
    createServer(certificate('good'), (_, response) => response.end('ok')),
  );
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function fileWith(text: string): string {
  const path = join(folder, 'authorities.pem');
  writeFileSync(path, text);
  return path;
}

async function statusWith(certificates: string | undefined): Promise<string> {
  const given =
    certificates === undefined ? settings : { ...settings, KEEPWATCH_EXTRA_CA_CERTS: certificates };
  const runner = buildRunner(buildOutgoingOptions(given, []));
  const definition = buildDefinition({ url: `https://localhost:${server.port}/` });
  const { status } = await runner.runStep(definition, 0, { slotMs: 0 });
  await runner.close();
  return status;
}

it('checks and webhooks trust a private certificate authority only if it is in the configured file', async () => {
  const path = fileWith(`# ours\n${testAuthority()}\n`);
  expect(await statusWith(undefined)).toBe('down');
  expect(await statusWith(path)).toBe('up');
  const options = buildOutgoingOptions({ ...settings, KEEPWATCH_EXTRA_CA_CERTS: path }, []);
  const request = { url: `https://localhost:${server.port}/`, headers: [], body: '{}' };
  expect(await createPost(options, 'test')(request)).toMatchObject({ status: 200 });
  const strange = createPost(buildOutgoingOptions(settings, []), 'test');
  expect(await strange(request)).toMatchObject({ failure: { code: 'tls_error' } });
});

it.each([
  ['does not exist', () => join(folder, 'nowhere.pem')],
  ['is no PEM file', () => fileWith('certificates')],
  [
    'contains a broken certificate',
    () => fileWith('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
  ],
])('an authority file that %s stops the start with a message', (_, pathOf) => {
  const given = { ...settings, KEEPWATCH_EXTRA_CA_CERTS: pathOf() };
  expect(() => buildOutgoingOptions(given, [])).toThrow(/KEEPWATCH_EXTRA_CA_CERTS/);
});

it("the service's own ports are the ports in the URLs of its servers", () => {
  expect(
    listPorts([
      'http://127.0.0.1:3000',
      'temporal:7233',
      'mongodb://me:pw:1234@one:27017,two:27018/keepwatch?x=1',
      'https://keepwatch.example',
      undefined,
    ]),
  ).toEqual([3000, 7233, 27017, 27018]);
  expect(buildOutgoingOptions(settings, [':3000']).ownPorts).toEqual([9_100, 3000]);
});

/** Tests the program that prepares the namespace on a Temporal server that users run themselves. */
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { runCommand } from '../../src/embedded/run-command';
import { createNamespaceCheck } from '../../src/temporal/namespace-check';
import { temporalAddress, uniqueSuite } from '../support/service';
import { WAIT_LIMIT_MS } from '../support/wait-until';

const PROGRAM = join(__dirname, '../../dist/main/prepare-namespace.js');

function run(environment: Readonly<Record<string, string>>) {
  const options = { environment: { ...process.env, ...environment }, timeoutMs: WAIT_LIMIT_MS };
  return runCommand(process.execPath, [PROGRAM], options);
}

it('prepare-namespace creates a missing namespace, and can be repeated', async () => {
  const [address, namespace] = [temporalAddress(), uniqueSuite()];
  const settings = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
  const connection = Connection.lazy({ address });
  const check = createNamespaceCheck(new Client({ connection, namespace }));
  await expect(check.ping(5_000)).rejects.toMatchObject({ code: 'unavailable' });
  for (const _again of [1, 2])
    expect(await run(settings)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${namespace} at ${address} is ready`),
    });
  await expect(check.ping(5_000)).resolves.toBeUndefined();
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  expect(Object.keys(customAttributes)).toContain('KeepwatchAccount');
  await connection.close();
});

it('prepare-namespace names a missing setting', async () => {
  const { code, stderr } = await run({ TEMPORAL_ADDRESS: '' });
  expect(stderr).toContain('TEMPORAL_ADDRESS');
  expect(code).not.toBe(0);
});

/** Tests that the readiness check asks a real Temporal server whether the namespace of the service exists. */
import { Client, Connection } from '@temporalio/client';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { createNamespaceCheck } from '../../src/temporal/namespace-check';
import { temporalAddress, uniqueSuite } from '../support/service';

it('the check of the namespace accepts an existing namespace and refuses a missing one', async () => {
  const [there, missing] = [uniqueSuite(), uniqueSuite()];
  await prepareNamespace(temporalAddress(), there);
  const connection = Connection.lazy({ address: temporalAddress() });
  const ping = (namespace: string) =>
    createNamespaceCheck(new Client({ connection, namespace })).ping(5_000);
  await expect(ping(there)).resolves.toBeUndefined();
  await expect(ping(missing)).rejects.toMatchObject({ code: 'unavailable' });
  await connection.close();
});

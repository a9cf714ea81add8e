/** `regions`: lists the regions, and manages the keys of their probes. */
import type { Command } from 'commander';
import { formatAgo } from '../durations';
import { type Cli, runInSession } from '../session';
import { newProbeKeyShape, probeKeyShape, regionPageShape, rotatedRegionKeyShape } from '../shapes';
import { formatTable } from '../table';

interface AddOptions {
  readonly name?: string;
}

export function addRegionCommands(program: Command, cli: Cli): void {
  const group = program
    .command('regions')
    .description('List regions, and manage the keys of their probes');
  addList(group, cli);
  group
    .command('add-probe')
    .description('Create a probe key; it is shown only once')
    .argument('<region>')
    .option('--name <text>', 'name of the probe in the list of keys')
    .action((region: string, { name }: AddOptions, command: Command) =>
      runInSession(cli, command, async ({ client, output }) => {
        const body = { region, ...(name === undefined ? {} : { name }) };
        const made = await client().call('v1/probe-keys', newProbeKeyShape, {
          method: 'POST',
          body,
        });
        // The key has its own line, so that it can be piped.
        output.show(made, () => made.key);
        return undefined;
      }),
    );
  addKeys(group, cli);
  group
    .command('revoke-probe')
    .description('Revoke a probe key, which stops the probe')
    .argument('<id>', 'id of the key, as shown by `regions keys`')
    .action((id: string, _options: object, command: Command) =>
      runInSession(cli, command, async ({ client, output }) => {
        await client().send(`v1/probe-keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
        output.show({ revoked: id }, () => `Revoked ${id}.`);
        return undefined;
      }),
    );
  addRotate(group, cli);
}

function addRotate(group: Command, cli: Cli): void {
  group
    .command('rotate-key')
    .description('Rotate the key of a region, so that revoked probes cannot read new checks')
    .argument('<region>')
    .action((region: string, _options: object, command: Command) =>
      runInSession(cli, command, async ({ client, output }) => {
        const rotated = await client().call('v1/regions/rotate-key', rotatedRegionKeyShape, {
          method: 'POST',
          body: { region },
        });
        output.show(rotated, () => `The key of ${rotated.id} was rotated.`);
        return undefined;
      }),
    );
}

function addList(group: Command, cli: Cli): void {
  group
    .command('list')
    .alias('ls')
    .description('List regions with their probes')
    .action((_options: object, command: Command) =>
      runInSession(cli, command, async ({ client, output, now }) => {
        const { data } = await client().call('v1/regions', regionPageShape);
        type Row = (typeof data)[number];
        const columns = [
          { title: 'region', cell: ({ id }: Row) => id },
          { title: 'status', cell: ({ status }: Row) => status },
          { title: 'probes', cell: ({ workers }: Row) => String(workers) },
          {
            title: 'seen',
            cell: ({ lastSeenAt }: Row) =>
              lastSeenAt === null ? 'never' : formatAgo(lastSeenAt, now()),
          },
        ];
        output.show({ data }, () => formatTable(data, columns, output.width));
        return undefined;
      }),
    );
}

function addKeys(group: Command, cli: Cli): void {
  group
    .command('keys')
    .description('List probe keys, newest first')
    .action((_options: object, command: Command) =>
      runInSession(cli, command, async ({ client, output, now }) => {
        const data = await client().list('v1/probe-keys', probeKeyShape);
        type Row = (typeof data)[number];
        const columns = [
          { title: 'id', cell: ({ id }: Row) => id },
          { title: 'region', cell: ({ region }: Row) => region },
          { title: 'name', cell: ({ name }: Row) => name },
          {
            title: 'used',
            cell: ({ lastUsedAt }: Row) =>
              lastUsedAt === null ? 'never' : formatAgo(lastUsedAt, now()),
          },
          {
            title: 'state',
            cell: ({ revokedAt }: Row) => (revokedAt === null ? 'in force' : 'revoked'),
          },
        ];
        output.show({ data }, () =>
          data.length === 0 ? 'There are no probe keys.' : formatTable(data, columns, output.width),
        );
        return undefined;
      }),
    );
}

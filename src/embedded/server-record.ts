/**
 * The file `servers.json` in the data folder, with the ports and processes of the servers. With it, the ports stay the
 * same after a restart, and processes that are left from the last run can be ended.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const port = z.number().int().min(1).max(65535);
const processShape = z.object({
  name: z.string(),
  pid: z.number().int().positive(),
  identity: z.string(),
});
const recordShape = z.object({
  database: z.object({ uri: z.string(), port: port.optional() }).optional(),
  temporal: z.object({ address: z.string(), port, uiPort: port }).optional(),
  api: z.object({ port }).optional(),
  processes: z.array(processShape).default([]),
});

type ServerRecord = z.output<typeof recordShape>;

export interface ServerRecordFile {
  /** Returns the last written record, or an empty record. */
  readonly current: () => ServerRecord;
  /** Replaces the given parts. Writes run one after the other. Each write replaces the file atomically. */
  readonly update: (change: (record: ServerRecord) => Partial<ServerRecord>) => Promise<void>;
}

async function readRecord(file: string): Promise<ServerRecord> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    return recordShape.parse(JSON.parse(text));
  } catch {
    // Without the file, new ports are chosen, and processes of an earlier run are not ended.
    return recordShape.parse({});
  }
}

/** Opens the record of a data folder. A missing or damaged file is treated as an empty record. */
export async function openServerRecord(dataFolder: string): Promise<ServerRecordFile> {
  const file = join(dataFolder, 'servers.json');
  let record = await readRecord(file);
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const partial = `${file}.${process.pid}`;
    await writeFile(partial, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    await rename(partial, file);
  }

  return {
    current: () => record,
    update: (change) => {
      record = { ...record, ...change(record) };
      writing = writing.then(write);
      return writing;
    },
  };
}

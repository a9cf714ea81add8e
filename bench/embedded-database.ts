// Measures the embedded database from outside: the CPU of its process, and the time per command.
// Uses a separate process and folder, and touches nothing else.
import type { mongo } from 'mongoose';
import { readCpuMs, withDatabase } from './support/database-server';

interface Measurement {
  readonly name: string;
  readonly operations: number;
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly goalMs: number | undefined;
}

type Row = { _id: string; account: string; n: number; at: Date; body: string };

const DOCUMENTS = 100_000;
const PARALLEL = 8;
const BATCH = 100;

interface Work {
  readonly name: string;
  readonly operations: number;
  readonly goalMs?: number;
  readonly run: (index: number) => Promise<unknown>;
  readonly parallel?: number;
}

async function measure(pid: number, work: Work): Promise<Measurement> {
  const cpuBefore = readCpuMs(pid);
  const startedAt = performance.now();
  let next = 0;
  const runNext = async () => {
    while (next < work.operations) await work.run(next++);
  };
  await Promise.all(Array.from({ length: work.parallel ?? 1 }, runNext));
  return {
    name: work.name,
    operations: work.operations,
    cpuMs: (readCpuMs(pid) - cpuBefore) / work.operations,
    wallMs: (performance.now() - startedAt) / work.operations,
    goalMs: work.goalMs,
  };
}

function row(index: number): Row {
  return {
    _id: `mon_${String(index % 100).padStart(4, '0')}:eu-west:${String(index).padStart(9, '0')}`,
    account: `acc_${index % 10}`,
    n: index,
    at: new Date(1_700_000_000_000 + index * 1000),
    body: 'x'.repeat(420),
  };
}

async function fill(rows: mongo.Collection<Row>): Promise<void> {
  await rows.createIndex({ account: 1, at: -1 });
  for (let at = 0; at < DOCUMENTS; at += 1000) {
    await rows.insertMany(Array.from({ length: 1000 }, (_, index) => row(at + index)));
  }
}

function batchFrom(first: number): number[] {
  return Array.from({ length: BATCH }, (_, index) => first + index);
}

function works(rows: mongo.Collection<Row>): Work[] {
  const id = (index: number) => row((index * 7919) % DOCUMENTS)._id;
  const fresh = (index: number) => ({ ...row(index), _id: `new:${index}` });
  const page = (index: number) =>
    rows
      .find({ account: `acc_${index % 10}` })
      .sort({ at: -1 })
      .limit(100)
      .toArray();
  return [
    {
      name: 'insert, one client',
      operations: 3000,
      goalMs: 0.3,
      run: (i) => rows.insertOne(fresh(i)),
    },
    {
      name: `insert, ${PARALLEL} clients`,
      operations: 8000,
      goalMs: 0.3,
      parallel: PARALLEL,
      run: (i) => rows.insertOne(fresh(i + 3000)),
    },
    {
      name: 'update by _id, one client',
      operations: 3000,
      goalMs: 0.3,
      run: (i) => rows.updateOne({ _id: id(i) }, { $set: { n: -i } }),
    },
    {
      name: `update by _id, ${PARALLEL} clients`,
      operations: 8000,
      goalMs: 0.3,
      parallel: PARALLEL,
      run: (i) => rows.updateOne({ _id: id(i) }, { $inc: { n: 1 } }),
    },
    {
      name: `insert of ${BATCH} in one command`,
      operations: 100,
      goalMs: BATCH * 0.3,
      run: (i) => rows.insertMany(batchFrom(i * BATCH).map((n) => fresh(n + 11_000))),
    },
    {
      name: `update of ${BATCH} in one command`,
      operations: 100,
      goalMs: BATCH * 0.3,
      run: (i) =>
        rows.bulkWrite(
          batchFrom(i * BATCH).map((n) => ({
            updateOne: { filter: { _id: id(n) }, update: { $inc: { n: 1 } } },
          })),
          { ordered: false },
        ),
    },
    { name: 'find by _id', operations: 3000, run: (i) => rows.findOne({ _id: id(i) }) },
    { name: 'page of 100 by index', operations: 300, goalMs: 5, run: page },
    {
      name: 'page of 100 by index with a filter',
      operations: 300,
      goalMs: 5,
      run: (i) =>
        rows
          .find({ account: `acc_${i % 10}`, n: { $gte: -5000 } })
          .sort({ at: -1 })
          .limit(100)
          .toArray(),
    },
    {
      name: 'range of 200 by _id',
      operations: 300,
      run: () =>
        rows
          .find({ _id: { $gte: 'mon_0001:', $lt: 'mon_0002' } })
          .limit(200)
          .toArray(),
    },
    {
      name: 'count 10,000 by index',
      operations: 50,
      run: () => rows.countDocuments({ account: 'acc_1' }),
    },
  ];
}

function table(results: readonly Measurement[]): string {
  const lines = results.map(({ name, operations, cpuMs, wallMs, goalMs }) =>
    [
      name.padEnd(34),
      String(operations).padStart(7),
      cpuMs.toFixed(3).padStart(10),
      wallMs.toFixed(3).padStart(10),
      (goalMs === undefined ? '' : `<= ${goalMs}`).padStart(8),
    ].join(' '),
  );
  const head = `${'operation'.padEnd(34) + ' '.repeat(5)}ops    CPU ms    wall ms     goal`;
  return [head, '-'.repeat(73), ...lines].join('\n');
}

async function main(): Promise<void> {
  await withDatabase(async ({ pid, client }) => {
    const rows = client.db().collection<Row>('rows');
    await fill(rows);
    const results: Measurement[] = [];
    for (const work of works(rows)) results.push(await measure(pid, work));
    const asJson = process.argv.includes('--json');
    process.stdout.write(`${asJson ? JSON.stringify(results) : table(results)}\n`);
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});

// `npm run backup -- FILE`: copies the running embedded database into one file, while it goes on serving.
// It finds the database by --uri, or by the file that the service keeps in its data folder.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';

const USAGE = 'Usage: npm run backup -- FILE [--uri mongodb://127.0.0.1:PORT]';

function runningUri() {
  const folder = resolve(process.env.KEEPWATCH_DATA_DIR ?? '.keepwatch');
  const file = join(folder, 'servers.json');
  try {
    const uri = JSON.parse(readFileSync(file, 'utf8')).database?.uri;
    if (typeof uri === 'string') return uri;
  } catch {
    // Said below, in the same words as for a file without an address.
  }
  throw new Error(`No running database is named in ${file}: start the service, or give --uri.`);
}

async function backUp(uri, path) {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 3000 });
  try {
    await client.db('admin').command({ keepwatchBackup: 1, path });
  } catch (error) {
    if (error.code === 59) {
      throw new Error('This is a MongoDB of your own: use mongodump or snapshots to back it up.');
    }
    throw error;
  } finally {
    await client.close();
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    options: { uri: { type: 'string' } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (!file || positionals.length !== 1) throw new Error(USAGE);
  const path = resolve(file);
  await backUp(values.uri ?? runningUri(), path);
  process.stdout.write(
    `Copied to ${path}.\nTo restore: stop the service, put the file in place of data.mdb in the database's folder, start.\n`,
  );
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

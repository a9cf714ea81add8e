// `npm run backup -- FILE`: copies all stored data into one file while the service keeps running. The embedded database
// copies itself; for MongoDB, the script calls mongodump. The script stops no process and changes no data.
import { chmodSync, copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { callMongoTool } from './mongo-tool.mjs';
import './say-unhandled-errors.mjs';

const USAGE = 'Usage: npm run backup -- FILE [--uri mongodb://127.0.0.1:PORT]';
const dataFolder = resolve(process.env.KEEPWATCH_DATA_DIR || '.keepwatch');

function runningUri() {
  const file = join(dataFolder, 'servers.json');
  try {
    const uri = JSON.parse(readFileSync(file, 'utf8')).database?.uri;
    if (typeof uri === 'string') return uri;
  } catch {
    // If the file is missing or unreadable, the error below is thrown.
  }
  throw new Error(`No running database is named in ${file}: start the service, or set --uri.`);
}

/** Asks the embedded database to write the file; returns false for any other database. */
async function copyEmbedded(uri, path) {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 3000 });
  try {
    const admin = client.db('admin');
    const { modules } = await admin.command({ buildInfo: 1 });
    if (!modules?.includes('keepwatch-embedded')) return false;
    await admin.command({ keepwatchBackup: 1, path });
    chmodSync(path, 0o600);
    return true;
  } finally {
    await client.close();
  }
}

/** Copies the key that was generated in the data folder; returns null if the service uses a configured key. */
function copyKey(path) {
  const key = join(dataFolder, 'secret-key');
  if (process.env.KEEPWATCH_SECRET_KEY || !existsSync(key)) return null;
  const copy = `${path}.key`;
  copyFileSync(key, copy);
  chmodSync(copy, 0o600);
  return copy;
}

async function main() {
  // Only this user may ever read the files.
  process.umask(0o077);
  const { values, positionals } = parseArgs({
    options: { uri: { type: 'string' } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (!file || positionals.length !== 1) throw new Error(USAGE);
  const path = resolve(file);
  if (existsSync(path)) throw new Error(`The file ${path} already exists.`);
  const given = values.uri ?? (process.env.MONGODB_URI || null);
  const uri = given ?? runningUri();
  if (!(await copyEmbedded(uri, path))) {
    callMongoTool('mongodump', uri, [`--archive=${path}`, '--gzip']);
    chmodSync(path, 0o600);
  }
  const key = given === null ? copyKey(path) : null;
  const lines = [
    `Copied to ${path}.`,
    key === null
      ? 'Keep KEEPWATCH_SECRET_KEY with it: without the key the secrets in it are lost.'
      : `Its key is ${key}. Keep it with the copy, where no one else can read it.`,
    'To restore it into an empty data folder: npm run restore -- FILE',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

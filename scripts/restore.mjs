// `npm run restore -- FILE`: puts a backup into an empty data folder, or with --uri into an empty
// MongoDB. It never overwrites data and starts nothing: `npm start` continues from the backup.
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { callMongoTool } from './mongo-tool.mjs';
import './say-unhandled-errors.mjs';

const USAGE = 'Usage: npm run restore -- FILE [--uri mongodb://HOST/DATABASE]';
const DATA = /^(?:database-(?:embedded|mongod)|temporal-.*\.db)$/;
/** LMDB's magic number, after the header of the first page. */
const EMBEDDED_MAGIC = 0xbeefc0de;
const EMBEDDED_MAGIC_AT = 24;
const GZIP_MAGIC = 0x8b1f;

function readKind(path) {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  const bytes = Buffer.alloc(EMBEDDED_MAGIC_AT + 4);
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(file);
  }
  if (bytes.readUInt32LE(EMBEDDED_MAGIC_AT) === EMBEDDED_MAGIC) return 'embedded';
  if (bytes.readUInt16LE(0) === GZIP_MAGIC) return 'dump';
  throw new Error(`${path} is not a backup of Keepwatch.`);
}

function requireEmptyFolder(folder) {
  const found = existsSync(folder) ? readdirSync(folder).filter((name) => DATA.test(name)) : [];
  if (found.length === 0) return;
  throw new Error(
    `${folder} already contains data (${found.join(', ')}). Stop its service and move the folder away, or name another one in KEEPWATCH_DATA_DIR.`,
  );
}

/**
 * Restores the key. Returns a sentence for the operator, which says that the key was restored or where to get the key.
 */
function restoreKey(path, folder) {
  const copy = `${path}.key`;
  const key = join(folder, 'secret-key');
  if (process.env.KEEPWATCH_SECRET_KEY)
    return 'Start it with the KEEPWATCH_SECRET_KEY of the backup.';
  if (!existsSync(copy))
    return `There is no ${copy}: set KEEPWATCH_SECRET_KEY to the key of the backup, or enter all secrets and channels again.`;
  if (existsSync(key)) throw new Error(`${key} already exists. Move it away first.`);
  copyFileSync(copy, key);
  chmodSync(key, 0o600);
  return 'Its key is in place.';
}

function restoreEmbedded(path) {
  const folder = resolve(process.env.KEEPWATCH_DATA_DIR || '.keepwatch');
  requireEmptyFolder(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unfinished = join(folder, 'database-restoring');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  copyFileSync(path, join(unfinished, 'data.mdb'));
  const advice = restoreKey(path, folder);
  // The rename must come last, so that an interrupted restore can be repeated.
  renameSync(unfinished, join(folder, 'database-embedded'));
  return `Restored to ${folder}. ${advice}`;
}

async function countCollections(uri) {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 3000 });
  try {
    return (await client.db().listCollections({}, { nameOnly: true }).toArray()).length;
  } finally {
    await client.close();
  }
}

async function restoreDump(path, uri) {
  if ((await countCollections(uri)) > 0)
    throw new Error('This database already contains data. Restore into an empty one.');
  callMongoTool('mongorestore', uri, [`--archive=${path}`, '--gzip']);
  if ((await countCollections(uri)) === 0)
    throw new Error('Nothing was restored, because the dump is from a database with another name.');
  return 'Restored. Start it with the KEEPWATCH_SECRET_KEY of the backup.';
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
  const uri = values.uri ?? (process.env.MONGODB_URI || null);
  const kind = readKind(path);
  if (kind === 'dump' && uri === null)
    throw new Error('This is a dump of a MongoDB: set --uri to an empty one.');
  if (kind === 'embedded' && uri !== null)
    throw new Error('This is a copy of an embedded database: restore it without --uri.');
  const done = uri === null ? restoreEmbedded(path) : await restoreDump(path, uri);
  process.stdout.write(`${done}\nStart the service: it continues from the backup.\n`);
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});

// jest transformer: the sources under test hold their mutants, everything else is as always.
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { createTransformer } = require('@swc/jest');
const { mutate } = require('./mutate.cjs');

const ROOT = path.join(__dirname, '..', '..', '..');
const OWN = createHash('sha256')
  .update(readFileSync(path.join(__dirname, 'mutate.cjs')))
  .digest('hex');

const targets = () => new Set(JSON.parse(process.env.KEEPWATCH_MUTATED ?? '[]'));

module.exports = {
  createTransformer: (options) => {
    const swc = createTransformer(options);
    const mutated = (file) => targets().has(path.relative(ROOT, file).replaceAll('\\', '/'));
    return {
      ...swc,
      getCacheKey: (source, file, ...rest) => {
        const key = swc.getCacheKey(source, file, ...rest);
        return mutated(file) ? createHash('sha256').update(`${OWN}${key}`).digest('hex') : key;
      },
      process: (source, file, ...rest) => {
        if (!mutated(file)) return swc.process(source, file, ...rest);
        const name = path.relative(ROOT, file).replaceAll('\\', '/');
        return swc.process(mutate(source, name).code, file, ...rest);
      },
    };
  },
};

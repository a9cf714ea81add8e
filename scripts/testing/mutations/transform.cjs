// jest transformer: adds mutants to the sources under test and treats all other files as usual.
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { createTransformer } = require('@swc/jest');
const { IDS_PER_FILE, mutate } = require('./mutate.cjs');

const ROOT = path.join(__dirname, '..', '..', '..');
const OWN = createHash('sha256')
  .update(readFileSync(path.join(__dirname, 'mutate.cjs')))
  .digest('hex');

const targets = JSON.parse(process.env.KEEPWATCH_MUTATED ?? '[]');
const indexOf = (file) => targets.indexOf(path.relative(ROOT, file).replaceAll('\\', '/'));

module.exports = {
  createTransformer: (options) => {
    const swc = createTransformer(options);
    return {
      ...swc,
      getCacheKey: (source, file, ...rest) => {
        const key = swc.getCacheKey(source, file, ...rest);
        const index = indexOf(file);
        if (index < 0) return key;
        return createHash('sha256').update(`${OWN} ${index} ${key}`).digest('hex');
      },
      process: (source, file, ...rest) => {
        const index = indexOf(file);
        const code = index < 0 ? source : mutate(source, index * IDS_PER_FILE).code;
        return swc.process(code, file, ...rest);
      },
    };
  },
};

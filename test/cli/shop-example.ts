/** Provides the definitions of examples/shop, adapted to a service that other suites use as well. */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { uniqueSuite } from '../support/service';

const SHOP = join(__dirname, '..', '..', 'examples', 'shop');

/** Copies the definitions to the folder. Each check gets a single region, and the status page gets a unique slug. */
export function copyShopExample(folder: string): string {
  cpSync(SHOP, folder, { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (!statSync(file).isFile()) continue;
    const text = readFileSync(file, 'utf8')
      .replaceAll(/^( *)tags: /gm, '$1regions: [eu-west]\n$1tags: ')
      .replace(/slug: shop$/m, `slug: shop-${uniqueSuite()}`);
    writeFileSync(file, text);
  }
  return folder;
}

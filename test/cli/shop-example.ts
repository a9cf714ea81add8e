/** The definitions of examples/shop, for a service that other suites use as well. */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { uniqueSuite } from '../support/service';

const SHOP = join(__dirname, '..', '..', 'examples', 'shop');

/** Copies it to the folder: checked from one region, and with a status page at an address of its own. */
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

/** The examples in the help of commands: the shortest command lines that are useful. */
import type { Command } from 'commander';
import {
  addDeprecation,
  DEPRECATED_NAMES,
  type DeprecatedNames,
} from '../domain/compatibility/deprecated-names';

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  status: ['keepwatch status', 'keepwatch status --exit-code'],
  run: [
    'keepwatch run --tag shop --wait --junit reports/keepwatch.xml',
    'keepwatch run order-journey --wait --var item=coffee --var count:=2',
  ],
  check: [
    'keepwatch check -f monitoring',
    'keepwatch check -f monitoring --only shop-home --region eu-west',
  ],
  apply: [
    'keepwatch apply -f monitoring --dry-run',
    'keepwatch apply -f monitoring --prune',
    'keepwatch apply -f monitoring --prune --dry-run --fail-on-drift',
  ],
  export: ['keepwatch export --file monitoring/keepwatch.yaml'],
  'monitors list': ['keepwatch monitors list --health down', 'keepwatch monitors list --tag shop'],
  'monitors results': ['keepwatch monitors results shop-home --status down --limit 5'],
  'monitors pause': ['keepwatch monitors pause shop-home --for 30m --reason "new server"'],
  'monitors set': [
    'keepwatch monitors set interval=30 --tag shop --dry-run',
    'keepwatch monitors set retries=2 --unset timeoutMs --group shop --yes --wait',
  ],
  'monitors run': ['keepwatch monitors run shop-home --wait'],
  'scenarios runs': ['keepwatch scenarios runs order-journey --status failed'],
  'scenarios pause': ['keepwatch scenarios pause order-journey --for 2h'],
  'incidents list': ['keepwatch incidents list --all'],
  'incidents explain': ['keepwatch incidents explain inc_…'],
  'incidents ack': ['keepwatch incidents ack inc_… --note "Looking at the load balancer"'],
  'incidents snooze': ['keepwatch incidents snooze inc_… --for 1h --reason "The provider knows"'],
  'rollouts undo': ['keepwatch rollouts undo rol_… --wait'],
  'maintenance start': [
    'keepwatch maintenance start --for 15m --tag shop -- ./deploy.sh',
    'keepwatch maintenance start --for 1h --all --mode pause',
  ],
  'posts write': [
    'keepwatch posts write --title "Payments fail" --affected Payments --publish',
    'keepwatch posts write --type maintenance --title "New servers" < text.md',
  ],
  'posts update': ['keepwatch posts update pst_… --state identified --text "A provider is down."'],
  'posts resolve': ['keepwatch posts resolve pst_… --text "Payments work again."'],
  'posts post-mortem': ['keepwatch posts post-mortem pst_… < post-mortem.md'],
  'subscribers add': [
    'keepwatch subscribers add reader@example.com --page shop --item Payments',
    'keepwatch subscribers add --page shop --confirmed < readers.txt',
  ],
  heartbeat: [
    'keepwatch heartbeat backup -- ./backup.sh --all',
    'keepwatch heartbeat https://keepwatch.example.com/ping/TOKEN -- ./backup.sh',
  ],
  'regions add-probe': ['keepwatch regions add-probe ap-south --name "rack 4"'],
  'operator accounts create': [
    'keepwatch operator accounts create "Example Ltd" --owner owner@example.com',
  ],
  'operator accounts suspend': [
    'keepwatch operator accounts suspend acc_… --reason "An invoice is unpaid."',
  ],
  'watchdog pair': ['keepwatch watchdog pair https://keepwatch.other.example < key-of-the-other'],
  'secrets set': [
    'keepwatch secrets set SHOP_PASSWORD < password-file',
    'keepwatch secrets set SHOP_PASSWORD --from-env SHOP_PASSWORD',
  ],
  events: [
    'keepwatch events --kind incident',
    'keepwatch events --output json --count 10 --for 5m',
  ],
  import: [
    'keepwatch import uptime-kuma backup.json --file monitoring/keepwatch.yaml',
    'keepwatch import checkly . --file monitoring/keepwatch.yaml',
    'keepwatch import statuspage summary.json --file monitoring/status-page.yaml',
    'keepwatch import postman collection.json --file monitoring/shop.yaml',
  ],
  login: ['keepwatch login --url https://keepwatch.example.com < key-file'],
};

/** Adds examples and planned removals to the help of each command, and a hint after a wrong option. */
export function addExamples(
  command: Command,
  deprecated: DeprecatedNames = DEPRECATED_NAMES,
  path: readonly string[] = [],
): void {
  for (const child of command.commands) {
    const words = [...path, child.name()];
    const name = words.join(' ');
    child.description(addDeprecation(child.description(), `command ${name}`, deprecated));
    for (const option of child.options)
      option.description = addDeprecation(
        option.description,
        `option ${name} ${option.long}`,
        deprecated,
      );
    child.showHelpAfterError(`To see all, run keepwatch ${name} --help.`);
    const examples = EXAMPLES[name];
    if (examples !== undefined)
      child.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
    addExamples(child, deprecated, words);
  }
}

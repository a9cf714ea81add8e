/**
 * A strict parser for Prometheus's text format 0.0.4: it throws on everything it does not
 * understand.
 */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;

/** Returns all samples. Throws on a malformed line, a second declaration, or a duplicate series. */
export function parseMetrics(text: string): readonly Sample[] {
  const seen = new Set<string>();
  const declared = new Set<string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      requireDeclaration(line, declared);
      continue;
    }
    if (seen.has(line.replace(/ \S+$/, ''))) throw new Error(`doubled series: ${line}`);
    seen.add(line.replace(/ \S+$/, ''));
    samples.push(parseSample(line));
  }
  return samples;
}

function requireDeclaration(line: string, declared: Set<string>): void {
  const [, word, name] = line.split(' ');
  if (word !== 'HELP' && word !== 'TYPE') throw new Error(`not a declaration: ${line}`);
  const key = `${word} ${name}`;
  if (declared.has(key)) throw new Error(`declared twice: ${line}`);
  declared.add(key);
}

function parseSample(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined || Number.isNaN(Number(value?.replace('+Inf', 'Infinity'))))
    throw new Error(`not a sample: ${line}`);
  return { name, labels: parseLabels(labels), value: Number(value) };
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== ''; ) {
    const found = LABEL.exec(rest);
    if (found === null) throw new Error(`not labels: ${rest}`);
    const [whole, name = '', value = ''] = found;
    labels[name] = value.replaceAll(/\\(.)/g, (_all, char: string) => (char === 'n' ? '\n' : char));
    rest = rest.slice(whole.length);
  }
  return labels;
}

/**
 * Reads the texts in a source file: literals, templates (with expressions as {}) and text between tags, but no imports.
 */
import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

export function textsIn(file: string): readonly string[] {
  const module = parseSync(readFileSync(file, 'utf8'), {
    syntax: 'typescript',
    tsx: file.endsWith('x'),
  });
  const texts: string[] = [];
  addTexts(module.body, texts);
  return texts;
}

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

/** Adds the texts of a node. Allocates nothing for a node without text, because the sources have millions of nodes. */
function addTexts(node: unknown, texts: string[]): void {
  if (Array.isArray(node)) for (const child of node) addTexts(child, texts);
  else if (isNode(node) && node['type'] !== 'ImportDeclaration') {
    const own = ownText(node);
    if (own !== null) texts.push(own);
    for (const key in node) if (key !== 'span') addTexts(node[key], texts);
  }
}

function ownText({ type, value, quasis }: Node): string | null {
  if (type === 'StringLiteral' || type === 'JSXText')
    return String(value).trim().replaceAll(/\s+/g, ' ');
  if (type !== 'TemplateLiteral' || !Array.isArray(quasis)) return null;
  return quasis.map(({ raw }: { readonly raw: string }) => raw).join('{}');
}

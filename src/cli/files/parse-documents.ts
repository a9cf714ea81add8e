/** Parses the text of a YAML or JSON file into documents that keep their line numbers. */
import { type Alias, type Document, isMap, LineCounter, parseAllDocuments, visit } from 'yaml';
import { readDocument, TooManyValues } from '../../formats/yaml';
import { usageError } from '../cli-error';
import { describeYamlFault } from './yaml-faults';

export interface ParsedDocument {
  readonly value: Readonly<Record<string, unknown>>;
  /** File and line where the document starts. */
  readonly origin: string;
  /** Returns the file and line of a part of the document. */
  readonly formatOrigin: (path: readonly (string | number)[]) => string;
}

/** Returns the documents that are not empty. JSON is parsed as YAML. Throws a usage error with file and line. */
export function parseDocuments(text: string, shown: string): readonly ParsedDocument[] {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, merge: true, prettyErrors: false });
  const documents: readonly Document.Parsed[] = Array.isArray(parsed) ? parsed : [];
  return documents.flatMap((document) => {
    const [fault] = document.errors;
    if (fault !== undefined) {
      const { line, col } = lines.linePos(fault.pos[0]);
      throw usageError(`${shown}:${line}:${col}: ${describeYamlFault(fault)}`);
    }
    if (document.contents === null || document.contents.range === undefined) return [];
    const lineOf = (offset: number): string => `${shown}:${lines.linePos(offset).line}`;
    const origin = lineOf(document.contents.range[0]);
    if (!isMap(document.contents)) {
      if (document.toJS() === null) return [];
      throw usageError(`${origin}: a document must be an object.`);
    }
    const position = (offset: number): string => {
      const { line, col } = lines.linePos(offset);
      return `${shown}:${line}:${col}`;
    };
    const value = readValue(document, origin, position);
    const formatOrigin = (path: readonly (string | number)[]): string => {
      const node: unknown = document.getIn(path, true);
      const range = isRanged(node) ? node.range : null;
      return range === null ? origin : lineOf(range[0]);
    };
    return isRecord(value) ? [{ value, origin, formatOrigin }] : [];
  });
}

function readValue(
  document: Document.Parsed,
  origin: string,
  position: (offset: number) => string,
): unknown {
  try {
    return readDocument(document);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof TooManyValues) throw usageError(`${origin}: ${error.message}`);
    const offset = findOpenAlias(document)?.range?.[0];
    const at = offset === undefined ? origin : position(offset);
    throw usageError(`${at}: ${describeYamlFault(error)}`);
  }
}

/** Returns the first alias without an anchor before it. */
function findOpenAlias(document: Document.Parsed): Alias | undefined {
  let open: Alias | undefined;
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) !== undefined) return undefined;
      open = alias;
      return visit.BREAK;
    },
  });
  return open;
}

function isRanged(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

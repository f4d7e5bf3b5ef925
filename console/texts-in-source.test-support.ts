import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/experimental';

/* Reads the console's sources as syntax trees: which texts go through the catalog, and which do not. */

const folder = join(import.meta.dirname, 'src');

/** A node of the tree; of its many kinds, the parts that are looked at here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

interface Source {
  readonly name: string;
  readonly text: string;
  readonly program: Node;
}

/** The sources of the console without its tests, by their path below `src`. */
export const sources: readonly Source[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
  .map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const { program, errors } = parseSync(name, text, { lang: name.endsWith('x') ? 'tsx' : 'ts' });
    if (errors.length > 0) throw new Error(`${name}: ${errors[0]!.message}`);
    return { name, text, program: program as unknown as Node };
  });

const isNode = (it: unknown): it is Node => typeof it === 'object' && it !== null && 'type' in it;

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((part) =>
    Array.isArray(part) ? part.filter(isNode) : isNode(part) ? [part] : [],
  );
}

const cookedOf = (template: Node): string[] =>
  (template.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);

/** The keys that the sources ask the catalog for, each with a file that does. */
export function keysInSources(): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const { name, program } of sources) {
    const visit = (node: Node): void => {
      if (node.type === 'TaggedTemplateExpression' && isTag(node.tag as Node)) {
        const texts = cookedOf(node.quasi as Node);
        keys.set(
          texts.reduce((before, text, at) => `${before}{${at - 1}}${text}`),
          name,
        );
      }
      childrenOf(node).forEach(visit);
    };
    visit(program);
  }
  return keys;
}

const isOfCatalog = ({ value }: Node): boolean =>
  isNode(value) && value.type === 'TaggedTemplateExpression' && isTag(value.tag as Node);

const isTag = (tag: Node): boolean => tag.name === 't' || tag.name === 'rich';

/** Attributes and properties whose text people read. */
const shownNames =
  /^(about|action|alt|aria-label|cancel|description|error|example|header|hint|keep|label|meaning|message|mistake|note|noun|placeholder|refused|submit|suffix|text|title|word|words)$/;
/** Attributes and properties that hold code: classes, styles, addresses, keys. */
const codeNames =
  /^(accept|anchor|aria-(controls|describedby|labelledby)|className|classNames|border\w*|content|d|font\w*|grid\w+|href|id|key|margin|mutationKey|path|queryKey|rel|scheme|src|style|styles|target|tickFormatter|to|transform|transition|type|viewBox)$/;
/** Calls that take code. */
const codeCalls =
  /^(api\.|console\.|document\.|new \w*(Error|RegExp|URL|Channel)|import\b|matchMedia|.*\.(closest|matches|querySelector(All)?|join|split|replace(All)?|includes|startsWith|endsWith|localeCompare)$)/;
/** Elements that show code and keys. */
const codeElements = /^(code|Code|kbd|Kbd|MonospaceText)$/;

/** A capitalized word, or words with a space between them. */
const readsLikeText = (text: string): boolean =>
  /^[\s“(¿]*\p{Lu}\p{Ll}+(-\p{Ll}+)*([\s’'.,:!?…]|$)/u.test(text) ||
  /\p{L}{2}[,.:;…”]* [“(]?\p{L}/u.test(text);
const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text);

/** The names and values of a part of the tree, for the question what in it people read. */
type Visit = (node: Node, isShown?: boolean) => void;

/** How the parts of a node are visited; kinds without a rule are visited part by part. */
const visits: Readonly<Record<string, (node: Node, visit: Visit, code: string, isShown: boolean) => void>> = {
  ImportDeclaration: () => {},
  ExportAllDeclaration: () => {},
  TaggedTemplateExpression: (node, visit) => {
    for (const it of (node.quasi as Node).expressions as Node[]) visit(it);
  },
  JSXElement: (node, visit, code) => {
    const element = node.openingElement as Node;
    const { start, end } = element.name as Node;
    const isCode = codeElements.test(code.slice(start, end));
    visit(element);
    for (const it of node.children as Node[]) if (!isCode || it.type !== 'JSXText') visit(it, !isCode);
  },
  JSXFragment: (node, visit) => {
    for (const it of node.children as Node[]) visit(it, true);
  },
  // The only word among texts by their names (`vendor: t`back to the vendor``) is a text, too.
  ObjectExpression: (node, visit) => {
    const parts = node.properties as Node[];
    const isOfTexts = parts.length > 3 && parts.filter(isOfCatalog).length === parts.length - 1;
    for (const it of parts) {
      const value = it.value as Node | undefined;
      if (isOfTexts && /^[^/]*\p{Ll}/u.test(String(value?.value))) visit(value!, true);
      else visit(it);
    }
  },
  JSXAttribute: visitNamed,
  Property: visitNamed,
  JSXExpressionContainer: (node, visit, _, isShown) => visit(node.expression as Node, isShown),
  BinaryExpression: (node, visit) => {
    const isCompared = /^[!=]==?$|^in$/.test(node.operator as string);
    for (const it of [node.left, node.right] as Node[]) if (!isCompared || it.type !== 'Literal') visit(it);
  },
  SwitchCase: (node, visit) => {
    for (const it of node.consequent as Node[]) visit(it);
  },
  MemberExpression: (node, visit) => visit(node.object as Node),
  CallExpression: visitCall,
  NewExpression: visitCall,
  ConditionalExpression: (node, visit, _, isShown) => {
    visit(node.test as Node);
    visit(node.consequent as Node, isShown);
    visit(node.alternate as Node, isShown);
  },
  LogicalExpression: (node, visit, _, isShown) => {
    visit(node.left as Node, isShown && node.operator !== '&&');
    visit(node.right as Node, isShown);
  },
};

function visitNamed(node: Node, visit: Visit, code: string): void {
  const named = (node.name ?? node.key) as Node;
  const name = code.slice(named.start, named.end).replaceAll(/['"]/g, '');
  if (node.computed === true) visit(named);
  const value = node.value as Node | null;
  const isText = value?.type === 'Literal' || value?.type === 'TemplateLiteral';
  if (value === null || (codeNames.test(name) && isText)) return;
  visit(value, shownNames.test(name));
}

function visitCall(node: Node, visit: Visit, code: string): void {
  const callee = node.callee as Node;
  const called = code.slice(node.type === 'NewExpression' ? node.start : callee.start, callee.end);
  const takesCode = codeCalls.test(called);
  visit(callee);
  for (const it of node.arguments as Node[]) if (!takesCode || !/Literal$/.test(it.type)) visit(it);
}

/** Each text of a source that people read and that does not go through the catalog. */
export function textsOutside({ text: code, program }: Source): string[] {
  const found: string[] = [];
  const note = (text: string, isShown: boolean) => {
    if (isShown ? hasWords(text) : readsLikeText(text)) found.push(text.trim());
  };
  const visit: Visit = (node, isShown = false) => {
    if (node.type === 'JSXText') note(node.value as string, true);
    else if (node.type === 'Literal') note(typeof node.value === 'string' ? node.value : '', isShown);
    else if (node.type === 'TemplateLiteral') note(cookedOf(node).join('0'), isShown);
    const own = visits[node.type];
    if (own) own(node, visit, code, isShown);
    // Types have literals, too.
    else if (!/^TS(?!As|Satisfies|NonNull|Instantiation)/.test(node.type)) {
      for (const it of childrenOf(node)) visit(it);
    }
  };
  visit(program);
  return found;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/experimental';

/* Reads the console's sources as syntax trees: which texts go through the catalogue, and which do not. */

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

/** The keys that the sources ask the catalogue for, each with a file that does. */
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

const isTag = (tag: Node): boolean => tag.name === 't' || tag.name === 'rich';

/** Attributes and properties whose text people read. */
const shownNames =
  /^(about|action|alt|aria-label|cancel|description|error|example|header|hint|keep|label|meaning|message|mistake|note|noun|placeholder|refused|submit|suffix|text|title|word|words)$/;
/** Attributes and properties that hold code: classes, styles, addresses, keys. */
const codeNames =
  /^(accept|anchor|aria-(controls|describedby|labelledby)|className|classNames|content|d|font\w*|grid\w+|href|id|key|mutationKey|path|queryKey|scheme|src|style|styles|target|tickFormatter|to|transform|transition|type|viewBox)$/;
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

/** Each text of a source that people read and that does not go through the catalogue. */
export function textsOutside({ text: code, program }: Source): string[] {
  const found: string[] = [];
  const note = (text: string, isShown: boolean) => {
    if (isShown ? hasWords(text) : readsLikeText(text)) found.push(text.trim());
  };
  const visit = (node: Node, isShown = false): void => {
    const all = (nodes: readonly (Node | null | undefined)[], shown = false) => {
      for (const it of nodes) if (it) visit(it, shown);
    };
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        return;
      case 'TaggedTemplateExpression':
        return all((node.quasi as Node).expressions as Node[]);
      case 'JSXElement': {
        const element = node.openingElement as Node;
        const isCode = codeElements.test(
          code.slice((element.name as Node).start, (element.name as Node).end),
        );
        visit(element);
        return all(
          (node.children as Node[]).filter((it) => !isCode || it.type !== 'JSXText'),
          !isCode,
        );
      }
      case 'JSXFragment':
        return all(node.children as Node[], true);
      case 'JSXText':
        return note(node.value as string, true);
      case 'JSXAttribute':
      case 'Property': {
        const named = (node.name ?? node.key) as Node;
        const name = code.slice(named.start, named.end).replaceAll(/['"]/g, '');
        if (node.computed === true) visit(named);
        const value = node.value as Node | null;
        const isText = value?.type === 'Literal' || value?.type === 'TemplateLiteral';
        if (value === null || (codeNames.test(name) && isText)) return;
        return visit(value, shownNames.test(name));
      }
      case 'BinaryExpression':
        if (!/^[!=]==?$|^in$/.test(node.operator as string)) break;
        return all([node.left, node.right].filter((it) => (it as Node).type !== 'Literal') as Node[]);
      case 'SwitchCase':
        return all(node.consequent as Node[]);
      case 'MemberExpression':
        return all([node.object as Node]);
      case 'CallExpression':
      case 'NewExpression': {
        const callee = node.callee as Node;
        const called = code.slice(node.type === 'NewExpression' ? node.start : callee.start, callee.end);
        const given = node.arguments as Node[];
        visit(callee);
        return all(codeCalls.test(called) ? given.filter((it) => !/Literal$/.test(it.type)) : given);
      }
      case 'ConditionalExpression':
        visit(node.test as Node);
        return all([node.consequent, node.alternate] as Node[], isShown);
      case 'LogicalExpression':
        visit(node.left as Node, isShown && node.operator !== '&&');
        return visit(node.right as Node, isShown);
      case 'JSXExpressionContainer':
        return visit(node.expression as Node, isShown);
      case 'Literal':
        return typeof node.value === 'string' ? note(node.value, isShown) : undefined;
      case 'TemplateLiteral':
        note(cookedOf(node).join('0'), isShown);
        return all(node.expressions as Node[]);
    }
    // Types have literals, too.
    if (/^TS(?!As|Satisfies|NonNull|Instantiation)/.test(node.type)) return;
    all(childrenOf(node));
  };
  visit(program);
  return found;
}

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'

/** The names that the templates of a kind can use: the response of `/api/web/template/language/`. */
export type TemplateLanguage = {
  variables: readonly {
    name: string
    /** One sentence about its value. */
    about: string
    object: string | null
    is_list: boolean
    fields: readonly string[]
  }[]
  objects: Readonly<Record<string, ObjectType>>
  languages: Readonly<
    Record<'liquid' | 'django', { tags: readonly string[]; blocks: readonly string[]; filters: readonly string[] }>
  >
}
type ObjectType = {
  fields: readonly string[]
  references: Readonly<Record<string, string>>
  lists: Readonly<Record<string, string>>
}

/** The type of a value; for a list, that of its entries. */
type ValueType = { object: string | null; isList: boolean; fields: readonly string[] }

const PLAIN: ValueType = { object: null, isList: false, fields: [] }

/** Maximum characters before the cursor that are searched for the beginning of its tag. */
const MAX_TAG_LENGTH = 2_000
/** Templates in Django syntax load their tag libraries. */
const DJANGO = /\{%-?\s*load\s/
const LOOP = /\{%-?\s*for\s+(\w+)\s+in\s+([\w.]+)/g
const ASSIGNMENT = /\{%-?\s*(?:assign|with)\s+(\w+)\s*=\s*([\w.]+)/g

/** Whether a template is in Django syntax. */
export const isDjango = (text: string): boolean => DJANGO.test(text)

/** Completes variables, fields, tags and filters of the templates of a kind. */
export function completeTemplate(language: TemplateLanguage, context: CompletionContext): CompletionResult | null {
  const { state, pos } = context
  const before = state.sliceDoc(Math.max(0, pos - MAX_TAG_LENGTH), pos)
  const start = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'))
  const inside = start === -1 ? '}}' : before.slice(start + 2)
  if (/[%}]\}/.test(inside) || isInText(inside)) return null
  const text = state.sliceDoc(0)
  const { tags, blocks, filters } = language.languages[isDjango(text) ? 'django' : 'liquid']
  const name = /\w*$/.exec(inside)?.[0] ?? ''
  const head = inside.slice(0, inside.length - name.length)
  const result = (options: Completion[]): CompletionResult | null =>
    options.length > 0 && (name !== '' || context.explicit || /[.|%{]\s*$/.test(head) || head === '')
      ? { from: pos - name.length, options, validFor: /^\w*$/ }
      : null
  if (before[start + 1] === '%' && /^-?\s*$/.test(head)) return result(listTags(tags, blocks, state.sliceDoc(0, pos)))
  if (/\|\s*$/.test(head)) return result(filters.map((label) => ({ label, type: 'function' })))
  const path = /((?:\w+\.)+)$/.exec(head)?.[1]
  const scope = readScope(language, state.sliceDoc(0, pos))
  if (path) return result(listFields(language, resolvePath(language, scope, path.split('.').slice(0, -1))))
  // objects before plain values of similar names: `part` before `parameters`
  return result(
    [...scope].map(([label, type]) => ({
      label,
      type: 'variable',
      detail: describeType(type),
      boost: type.object === null ? 0 : 1,
    })),
  )
}

/** Whether the cursor is in a quoted text. */
const isInText = (inside: string): boolean => /^(?:[^"']|"[^"]*"|'[^']*')*["'][^"']*$/.test(inside)

/** The tags; the end of the innermost open block first. */
function listTags(tags: readonly string[], blocks: readonly string[], before: string): Completion[] {
  const open: string[] = []
  for (const [, tag = ''] of before.matchAll(/\{%-?\s*(\w+)/g)) {
    if (blocks.includes(tag)) open.push(tag)
    else if (tag === `end${open.at(-1)}`) open.pop()
  }
  const end = `end${open.at(-1)}`
  return tags.map((label) => ({ label, type: 'keyword', ...(label === end ? { boost: 50 } : {}) }))
}

/** The variables of the kind, with those that the template assigns before the cursor. */
function readScope(language: TemplateLanguage, before: string): Map<string, ValueType> {
  const scope = new Map<string, ValueType>(
    language.variables.map(({ name, object, is_list, fields }) => [name, { object, isList: is_list, fields }]),
  )
  for (const [, name = '', path = ''] of before.matchAll(LOOP))
    scope.set(name, { ...resolvePath(language, scope, path.split('.')), isList: false })
  for (const [, name = '', path = ''] of before.matchAll(ASSIGNMENT))
    scope.set(name, resolvePath(language, scope, path.split('.')))
  return scope
}

/** The type of a path such as `part.category`. */
function resolvePath(
  { objects }: TemplateLanguage,
  scope: ReadonlyMap<string, ValueType>,
  [first = '', ...names]: readonly string[],
): ValueType {
  let type = scope.get(first) ?? PLAIN
  for (const name of names) {
    const object = type.object === null ? undefined : objects[type.object]
    const [reference, list] = [object?.references[name], object?.lists[name]]
    // the first and the last entry of a list
    if (type.isList && /^(first|last|\d+)$/.test(name)) type = { ...type, isList: false }
    else if (reference) type = { object: reference, isList: false, fields: [] }
    else if (list) type = { object: list, isList: true, fields: [] }
    else return PLAIN
  }
  return type
}

function listFields({ objects }: TemplateLanguage, { object, isList, fields }: ValueType): Completion[] {
  if (isList) return ['first', 'last', 'size'].map((label) => ({ label, type: 'property' }))
  const type = object === null ? undefined : objects[object]
  const names = new Set([...fields, ...(type ? [...type.fields, ...Object.keys(type.lists)] : [])])
  return [...names].map((label) => {
    const [reference, list] = [type?.references[label], type?.lists[label]]
    const target = reference ?? list
    return {
      label,
      type: 'property',
      detail: target && describeType({ object: target, isList: list !== undefined, fields: [] }),
    }
  })
}

/** Describes a type by its path below `/api/`: `part`, `order/po-line[]`. */
const describeType = ({ object, isList }: ValueType): string | undefined =>
  object === null ? undefined : `${object.replace(/^\/api\//, '').replace(/\/$/, '')}${isList ? '[]' : ''}`

import type { Context, Template } from 'liquidjs'
import { type Condition, parseCondition } from '../condition.ts'
import { getEngine, type Steps } from '../engine.ts'
import { type Expression, shorten } from '../expression.ts'
import { createNode, type OpenTag, type TagReader } from '../node.ts'
import { getVariable, pushScope, setVariable } from '../resolve-variable.ts'
import { isEqual, isTrue, listEntries, toText } from '../values.ts'
import { evaluateArguments, parseVariableName, readNamedArguments, splitName } from './arguments.ts'

const readIf: TagReader = (tag, parser) => {
  const branches: { condition: Condition | undefined; templates: Template[] }[] = []
  let opened: OpenTag = tag
  while (opened.name !== 'endif') {
    const isElse = opened.name === 'else'
    const condition = isElse ? undefined : parseCondition(opened.words, (text) => parser.parseExpression(text))
    const { templates, end } = isElse ? parser.readUntil(tag, 'endif') : parser.readUntil(tag, 'elif', 'else', 'endif')
    branches.push({ condition, templates })
    opened = end
  }
  return createNode(tag.token, function* (context, emitter) {
    const call = parser.call(context)
    for (const { condition, templates } of branches) {
      if (condition && !isTrue(yield* condition(call))) continue
      yield* getEngine(context).renderer.renderTemplates(templates, context, emitter)
      return
    }
  })
}

/** The state of a loop, as templates see it. */
type Loop = Record<'counter' | 'counter0' | 'revcounter' | 'revcounter0', number> &
  Record<'first' | 'last', boolean> & { parentloop?: unknown }

const readFor: TagReader = (tag, parser) => {
  const isReversed = tag.words.at(-1) === 'reversed'
  const words = isReversed ? tag.words.slice(0, -1) : tag.words
  if (words.length < 3 || words.at(-2) !== 'in') throw new Error('"for" must have the form: for entry in list.')
  const names = words.slice(0, -2).join(' ').split(/ ?, ?/).map(parseVariableName)
  const list = parser.parseExpression(words.at(-1) as string)
  const { templates, end } = parser.readUntil(tag, 'empty', 'endfor')
  const empty = end.name === 'empty' ? parser.readUntil(tag, 'endfor').templates : []
  return createNode(tag.token, function* (context, emitter) {
    const { renderer } = getEngine(context)
    const existing = listEntries(yield* list.value(parser.call(context)))
    if (existing.length === 0) {
      yield* renderer.renderTemplates(empty, context, emitter)
      return
    }
    const entries = isReversed ? existing.toReversed() : existing
    const forloop: Loop = Object.create(null)
    const parentloop = getVariable(context, 'forloop')
    if (parentloop) forloop.parentloop = parentloop
    pushScope(context, { forloop })
    for (const [index, entry] of entries.entries()) {
      Object.assign(forloop, {
        counter: index + 1,
        counter0: index,
        revcounter: entries.length - index,
        revcounter0: entries.length - index - 1,
        first: index === 0,
        last: index === entries.length - 1,
      })
      setEntry(context, names, entry)
      yield* renderer.renderTemplates(templates, context, emitter)
    }
    context.pop()
  })
}

function setEntry(context: Context, names: readonly string[], entry: unknown): void {
  if (names.length === 1) {
    setVariable(context, names[0] as string, entry)
    return
  }
  const values = listEntries(entry)
  if (values.length !== names.length) throw new Error(`An entry has ${values.length} values here instead of ${names.length}.`)
  for (const [index, name] of names.entries()) setVariable(context, name, values[index])
}

const readWith: TagReader = (tag, parser) => {
  const [value, keyword, name, ...more] = tag.words
  const variables =
    keyword === 'as' && more.length === 0
      ? new Map([[parseVariableName(name), parser.parseExpression(value as string)]])
      : readNamedArguments(tag.words, parser)
  if (variables.size === 0) throw new Error('"with" must have the form: with name=value.')
  const { templates } = parser.readUntil(tag, 'endwith')
  return createNode(tag.token, function* (context, emitter) {
    pushScope(context, yield* evaluateArguments(variables, parser.call(context)))
    yield* getEngine(context).renderer.renderTemplates(templates, context, emitter)
    context.pop()
  })
}

/** State that tags keep between loop iterations, or during the print. */
const tagStates = new WeakMap<object, Map<OpenTag, unknown>>()

function getStates(owner: object): Map<OpenTag, unknown> {
  const existing = tagStates.get(owner) ?? new Map<OpenTag, unknown>()
  tagStates.set(owner, existing)
  return existing
}

const readIfChanged: TagReader = (tag, parser) => {
  const watched = tag.words.map((word) => parser.parseExpression(word))
  const { templates, end } = parser.readUntil(tag, 'else', 'endifchanged')
  const elseTemplates = end.name === 'else' ? parser.readUntil(tag, 'endifchanged').templates : []
  return createNode(tag.token, function* (context, emitter) {
    const { renderer } = getEngine(context)
    const states = getStates((getVariable(context, 'forloop') ?? context) as object)
    const call = parser.call(context)
    let state: unknown
    if (watched.length === 0) state = yield* renderer.renderTemplates(templates, context)
    else {
      const values: unknown[] = []
      for (const expression of watched) values.push(yield* expression.value(call))
      state = values
    }
    const isSame = states.has(tag) && isEqual(states.get(tag), state)
    states.set(tag, state)
    if (isSame) yield* renderer.renderTemplates(elseTemplates, context, emitter)
    else if (watched.length === 0) emitter.write(state)
    else yield* renderer.renderTemplates(templates, context, emitter)
  })
}

/** A cycle of values; `{% cycle name %}` continues a named one. */
type Cycle = { tag: OpenTag; values: Expression[]; name: string | undefined; isSilent: boolean }

const cycle: TagReader = (tag, parser) => {
  const isSilent = tag.words.at(-1) === 'silent'
  const { words, name } = splitName(isSilent ? tag.words.slice(0, -1) : tag.words)
  const existing = words.length === 1 ? parser.sharedState.get(`cycle ${words[0]}`) : undefined
  const cycleState = (existing as Cycle | undefined) ?? {
    tag,
    values: words.map((word) => parser.parseExpression(word)),
    name,
    isSilent,
  }
  if (cycleState.values.length === 0) throw new Error('"cycle" requires values.')
  if (name !== undefined) parser.sharedState.set(`cycle ${name}`, cycleState)
  parser.sharedState.set('cycle', cycleState)
  return createNode(tag.token, function* (context, emitter) {
    const states = getStates(context)
    const turn = (states.get(cycleState.tag) as number | undefined) ?? 0
    states.set(cycleState.tag, turn + 1)
    const call = parser.call(context)
    const value = yield* (cycleState.values[turn % cycleState.values.length] as Expression).value(call)
    if (cycleState.name !== undefined) setVariable(context, cycleState.name, value)
    if (!cycleState.isSilent) emitter.write(parser.engine.formatValue(value, call.isEscaping))
  })
}

const readResetCycle: TagReader = (tag, parser) => {
  const [name] = tag.words
  const cycleState = parser.sharedState.get(name === undefined ? 'cycle' : `cycle ${name}`) as Cycle | undefined
  if (!cycleState) throw new Error('There is no such "cycle" before this one.')
  return createNode(tag.token, (context) => {
    getStates(context).delete(cycleState.tag)
  })
}

const readFirstOf: TagReader = (tag, parser) => {
  const { words, name } = splitName(tag.words)
  const values = words.map((word) => parser.parseExpression(word))
  return parser.createValueNode(tag.token, name, function* (call) {
    for (const expression of values) {
      const value = yield* expression.value(call)
      if (isTrue(value)) return value
    }
    return ''
  })
}

/** `{% regroup lines by part.category as groups %}`: adjacent entries with the same value form a group. */
const regroup: TagReader = (tag, parser) => {
  const [word, by, path, as, name] = tag.words
  if (by !== 'by' || as !== 'as' || tag.words.length !== 5)
    throw new Error('"regroup" must have the form: regroup list by field as name.')
  const list = parser.parseExpression(word as string)
  const grouper = parser.parseExpression(`regrouped.${path}`)
  const variable = parseVariableName(name)
  return createNode(tag.token, function* (context) {
    const call = parser.call(context)
    const groups: { grouper: unknown; list: unknown[] }[] = []
    const entries = listEntries(yield* list.value(call))
    pushScope(context)
    for (const entry of entries) {
      setVariable(context, 'regrouped', entry)
      const value = yield* grouper.value(call)
      const last = groups.at(-1)
      if (last && isEqual(last.grouper, value)) last.list.push(entry)
      else groups.push({ grouper: value, list: [entry] })
    }
    context.pop()
    setVariable(context, variable, groups)
  })
}

const comment: TagReader = (_tag, parser) => {
  parser.skipTo('endcomment')
  return undefined
}

/** Content of these tags passes through, as there is only one language and time zone here. */
const createPassThrough =
  (name: string): TagReader =>
  (tag, parser) => {
    const { templates } = parser.readUntil(tag, `end${name}`)
    return createNode(tag.token, function* (context, emitter) {
      yield* getEngine(context).renderer.renderTemplates(templates, context, emitter)
    })
  }

/** Libraries whose tags and filters are available, loaded or not. */
const LIBRARIES = new Set([
  'report',
  'barcode',
  'inventree_extras',
  'i18n',
  'l10n',
  'tz',
  'static',
  'staticfiles',
  'markdownify',
  'djmoney',
])

const load: TagReader = (tag, parser) => {
  const from = tag.words.indexOf('from')
  for (const name of from === -1 ? tag.words : tag.words.slice(from + 1))
    if (!LIBRARIES.has(name)) parser.reportMissing(`library ${name}`, `The library "${shorten(name)}" does not exist.`)
  return undefined
}

const autoescape: TagReader = (tag, parser) => {
  const [state] = tag.words
  if (state !== 'on' && state !== 'off') throw new Error('"autoescape" must be on or off.')
  const { templates } = parser.readUntil(tag, 'endautoescape')
  return createNode(tag.token, function* (context, emitter) {
    const saved = context.saveRegister('autoescape')
    context.setRegister('autoescape', state)
    yield* getEngine(context).renderer.renderTemplates(templates, context, emitter)
    context.restoreRegister(saved)
  })
}

/** Creates the reader of a tag that rewrites the text of its block. */
function createRewrite(end: string, rewrite: (text: string) => string): TagReader {
  return (tag, parser) => {
    const { templates } = parser.readUntil(tag, end)
    return createNode(tag.token, function* (context, emitter): Steps<void> {
      emitter.write(rewrite(toText(yield* getEngine(context).renderer.renderTemplates(templates, context))))
    })
  }
}

export const controlTags: Record<string, TagReader> = {
  if: readIf,
  for: readFor,
  with: readWith,
  ifchanged: readIfChanged,
  cycle,
  resetcycle: readResetCycle,
  firstof: readFirstOf,
  regroup,
  comment,
  load,
  autoescape,
  localize: createPassThrough('localize'),
  localtime: createPassThrough('localtime'),
  verbatim: createPassThrough('verbatim'),
  language: createPassThrough('language'),
  spaceless: createRewrite('endspaceless', (text) => text.trim().replaceAll(/>\s+</g, '><')),
}

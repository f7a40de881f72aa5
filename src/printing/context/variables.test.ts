import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noLibrary } from '../../resources/printing/fixture.ts'
import { buildTemplateSchema } from '../../resources/printing/template-schema.ts'
import { TEMPLATE_MODELS } from '../kinds.ts'
import { compileTemplate } from '../template/compile.ts'
import type { Language } from '../template/language.ts'
import { listVocabulary } from '../template/vocabulary.ts'
import { commonVariables } from '../worker/fill-in.ts'
import { getKindContext } from './kinds.ts'
import { getObjectKind } from './object-kinds.ts'
import { setTemplateSchema } from './render-context.ts'
import { listVariables } from './variables.ts'

setTemplateSchema(buildTemplateSchema())
const template = { name: 'Template', width: 50, height: 20 }
const account = { pk: 1, username: 'member' }

describe('the listed variables of a kind of template', () => {
  for (const kind of Object.values(TEMPLATE_MODELS).flatMap(({ label, report }) => [label, report]))
    it(`are those of a print: ${kind}`, async () => {
      const { sample, variables } = getKindContext(kind)
      const job = { kind, template, baseUrl: 'http://stock.test', time: '2026-01-02T03:04:05Z', settings: {} }
      const common = commonVariables(job, { account: async () => account }, noLibrary)
      const printed = Object.defineProperties({}, {
        ...Object.getOwnPropertyDescriptors(common),
        ...Object.getOwnPropertyDescriptors(variables(sample(kind), job.baseUrl, template)),
      } as PropertyDescriptorMap) as Record<string, unknown>
      const listed = listVariables(kind)
      assert.deepEqual(Object.keys(listed).toSorted(), Object.keys(printed).toSorted())
      for (const [name, { object, isList, fields }] of Object.entries(listed)) {
        const value = await printed[name]
        if (name === 'user') continue
        assert.equal(Array.isArray(value), isList === true || name === 'test_keys', name)
        const entry = Array.isArray(value) ? value[0] : value
        // samples have objects without a type, and empty lists
        const type = typeof entry === 'object' && entry !== null ? getObjectKind(entry) : undefined
        if (type) assert.equal(object, type.path, name)
        if (fields) assert.deepEqual(fields.toSorted(), Object.keys(value as object).toSorted(), name)
        if (object) assert.ok(buildTemplateSchema().kinds[object], `${name}: ${object}`)
      }
    })
})

/** Each tag with content, as a template uses it. */
const EXAMPLES: Record<Language, Record<string, string>> = {
  liquid: {
    block: 'a',
    capture: 'a',
    case: 'a',
    comment: '',
    for: 'a in b',
    if: 'a',
    raw: '',
    tablerow: 'a in b',
    unless: 'a',
  },
  django: {
    autoescape: 'off',
    block: 'a',
    blocktrans: '',
    blocktranslate: '',
    comment: '',
    filter: 'upper',
    for: 'a in b',
    if: 'a',
    ifchanged: '',
    language: '"de"',
    localize: 'on',
    localtime: 'on',
    spaceless: '',
    verbatim: '',
    with: 'a=b',
  },
}

describe('the listed tags', () => {
  const vocabulary = listVocabulary()
  for (const language of ['liquid', 'django'] as const)
    it(`match the parser in which of them have content: ${language}`, () => {
      const { blocks, tags } = vocabulary[language]
      const load = language === 'django' ? '{% load i18n l10n tz report %}' : ''
      const compile = (name: string, end: string) => {
        const { error, problems = [] } = compileTemplate(`${load}{% ${name} ${EXAMPLES[language][name] ?? ''} %}${end}`)
        return { error, problems }
      }
      assert.deepEqual(blocks.toSorted(), Object.keys(EXAMPLES[language]).toSorted())
      for (const name of blocks) {
        assert.ok(tags.includes(name) && tags.includes(`end${name}`), name)
        assert.deepEqual(compile(name, `{% end${name} %}`), { error: undefined, problems: [] }, name)
        assert.ok(compile(name, '').error, `${name} needs no end`)
      }
    })
})

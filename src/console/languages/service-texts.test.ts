import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Document, extractFieldMetadata } from '../../console-bundle/field-metadata.ts'
import { ROOT } from '../../paths.ts'
import '../../app.ts'
import { problems } from '../../kit/request/problem.ts'
import { errorCodes } from '../../kit/values/message.ts'
import { createTranslator, translateError } from '../kit/language/service-texts.ts'
import type { FieldMetadata } from '../kit/service/field-metadata.ts'
import { serviceTexts } from './de/service-texts.ts'
import { de } from './de.ts'
import { serviceTexts as english } from './en/service-texts.ts'

const SOURCES = join(ROOT, 'src')
const listFiles = (folder: string, name: RegExp) =>
  readdirSync(join(SOURCES, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
const readSource = (file: string) => readFileSync(join(SOURCES, file), 'utf8')

const document = JSON.parse(readSource('../generated/openapi.json')) as Document
/** Metadata of every writable field of the resources that the console's forms are for. */
const fields = listFiles('console', /\.tsx?$/)
  .flatMap((file) => [...readSource(file).matchAll(/ from 'metadata:([^']+)'/g)].map(([, path]) => path as string))
  .flatMap((path) =>
    Object.entries(extractFieldMetadata(document, path).fields).map(([name, metadata]) => ({ path, name, ...metadata })),
  )
  .filter(({ isReadOnly, kind }) => !isReadOnly && kind !== 'structure' && kind !== 'file')

/** Terms that users need not know: null, URLs, names of settings and of fields. */
const TECHNICAL_TERMS = /\bnull\b|\bOPTIONS\b|\/api\/|\b[A-Z]{2,}_[A-Z_]+\b|\b[a-z]+_[a-z_]+\b|`(true|false)`/i

describe('help of fields in English', () => {
  const texts = [...new Set(fields.flatMap(({ help }) => help ?? []))]

  it('contains no technical terms', () => {
    assert.deepEqual(
      texts.filter((text) => TECHNICAL_TERMS.test(text)),
      [],
    )
    assert.deepEqual(
      // in German, null means zero
      Object.values(serviceTexts.help).filter((text) => TECHNICAL_TERMS.test(text.replaceAll(/\bnull\b/g, ''))),
      [],
      'nor in German',
    )
  })
})

describe('errors of the service', () => {
  /** Areas whose errors only programs and administrators see: they mention settings, URLs and names of fields. */
  const TECHNICAL_AREAS = new Set([
    'Requests',
    'Whole requests',
    'Query parameters',
    'Plugins',
    'Accounts',
    'Service',
    'Printing',
  ])
  const codes = [...errorCodes]
  const listPlaceholders = (text: string) => [...text.matchAll(/\{[a-z_]+(:[a-z]+)?\}/g)].map(String).toSorted()
  const sources = listFiles('', /\.ts$/)
    .filter((file) => !file.startsWith('console/'))
    .map(readSource)
    .join('\n')

  it('have a German text for every code, and for no other', () => {
    assert.deepEqual(Object.keys(serviceTexts.errors).toSorted(), codes.map(([code]) => code).toSorted())
    for (const [code, text] of Object.entries(serviceTexts.errors)) assert.ok(text.trim(), code)
  })

  it('have an English text for every code: the template of the service, or a less technical one of the console', () => {
    for (const [code, { template }] of codes) assert.ok((english.errors[code] ?? template).trim(), code)
    assert.deepEqual(
      Object.entries(english.errors).filter(([code, text]) => errorCodes.get(code)?.template === text || !errorCodes.has(code)),
      [],
      'these are not needed',
    )
    assert.deepEqual(
      codes
        .filter(([, { area }]) => !TECHNICAL_AREAS.has(area))
        .map(([code, { template }]) => english.errors[code] ?? template)
        .filter((text) => TECHNICAL_TERMS.test(text.replaceAll(/\{[^}]*\}/g, '7'))),
      [],
      'these contain technical terms',
    )
  })

  it('insert only parameters of their code, with the same types', () => {
    // a number of bytes is shown in the unit that suits it
    for (const [code, { template }] of codes)
      for (const text of [serviceTexts.errors[code] as string, english.errors[code] ?? template])
        for (const placeholder of listPlaceholders(text))
          assert.ok(
            listPlaceholders(template).includes(placeholder.replaceAll(':bytes', ':integer')),
            `${code}: ${placeholder} in ${text}`,
          )
  })

  it('have lower-case codes, each of which is raised somewhere', () => {
    const existing = new Set(Object.keys(problems))
    for (const [code] of codes) {
      assert.match(code, /^[a-z][a-z0-9_]*$/)
      const isRaised = existing.has(code) || code.startsWith('stock_item_now_') || new RegExp(`Errors\\.${code}\\b`).test(sources)
      assert.ok(isRaised, `nothing raises ${code}`)
    }
  })

  it('use reservieren for allocated in German', () => {
    for (const [code, text] of Object.entries(serviceTexts.errors))
      assert.doesNotMatch(text, /zurückgelegt|zurücklegen|weggelegt/, code)
  })

  it("are translated by code, with parameters in the reader's format; unknown codes show their message", () => {
    const german = (code: string, parameters: Record<string, unknown> = {}) =>
      translateError(
        serviceTexts.errors,
        { code, parameters, message: 'as the service says it' },
        {
          formatNumber: (value) => String(value).replace('.', ','),
          formatBytes: (value) => `${value / 1e6} MB`,
        },
      )
    assert.equal(german('not_found'), 'Nicht gefunden.')
    assert.equal(german('quantity_exceeds_available', { available: '2.5' }), 'Nur 2,5 verfügbar.')
    assert.equal(german('upload_too_large', { max_bytes: 104_000_000 }), 'Die Datei ist größer als 104 MB.')
    assert.equal(german('serial_range_too_long', { range: '1-9', quantity: 3 }), 'Der Bereich 1-9 ist mehr als 3 Stück.')
    assert.equal(
      german('machine_failed', { machine: 'Zebra $1', reason: '$& paper' }),
      'Der Drucker Zebra $1 hat nicht gedruckt: $& paper',
    )
    assert.equal(german('rejected_by_plugin', { message: 'A plugin says $& this' }), 'A plugin says $& this')
    const reasons = [{ code: 'fetch_timeout', parameters: {}, message: 'it took too long' }]
    assert.equal(german('not_fetched', { reasons }), 'Herunterladen fehlgeschlagen: es dauerte zu lange.')
    assert.equal(german('a_newer_code', { some: 'thing' }), 'as the service says it')
    assert.equal(german('constructor'), 'as the service says it')
  })
})

describe('German texts of the service', () => {
  it('cover the help of every field, and no other text', () => {
    const helpTexts = new Set(fields.flatMap(({ help }) => help ?? []))
    assert.deepEqual(
      fields.filter(({ help }) => help && !serviceTexts.help[help]).map(({ path, name, help }) => `${path} ${name}: ${help}`),
      [],
    )
    assert.deepEqual(
      Object.keys(serviceTexts.help).filter((help) => !helpTexts.has(help)),
      [],
    )
    assert.deepEqual(
      Object.entries(serviceTexts.help).filter(([english, german]) => german.trim() === '' || english === german),
      [],
    )
  })

  it('have a label for every field', () => {
    const translations = de as Record<string, string>
    const getLabel = (name: string) => translations[`field.${name}`] ?? serviceTexts.fields[name]
    assert.deepEqual(
      fields.filter(({ name }) => !getLabel(name)).map(({ path, name }) => `${path} ${name}`),
      [],
    )
    assert.deepEqual(
      Object.keys(serviceTexts.fields).filter((name) => translations[`field.${name}`] !== undefined),
      [],
      'these already have a label',
    )
  })

  it('have a label for every choice except currencies', () => {
    const translations = de as Record<string, string>
    const isShown = ({ path, name }: { path: string; name: string }) => path !== '/api/build/{id}/complete/' || name !== 'status'
    const listChoices = (metadata: FieldMetadata) =>
      metadata.choices?.filter((choice) => !/^([A-Z]{3})?$/.test(String(choice))) ?? []
    const missing = fields.filter(isShown).flatMap(({ path, name, ...metadata }) =>
      listChoices(metadata)
        .map((choice) => `choice.${path.slice('/api/'.length, -1)}.${name}.${choice}`)
        .filter((key) => translations[key] === undefined),
    )
    assert.deepEqual(missing, [])
  })

  it('translate only texts that the service sends', () => {
    const literals = listFiles('', /\.ts$/)
      .filter((file) => !/^(console|testing|specification|importing|demo\/(?!accounts))/.test(file))
      .flatMap((file) => extractLiterals(readSource(file)))
    const exact = literals.filter((text) => !text.includes(VALUE_PLACEHOLDER))
    const existing = new Set(exact)
    // a string of a few letters would match everything
    const isSpecific = (text: string) => text.replaceAll(VALUE_PLACEHOLDER, '').trim().length >= 8 || /^[A-Z][a-z]{2}/.test(text)
    const templates = literals.filter((text) => text.includes(VALUE_PLACEHOLDER) && isSpecific(text)).map(createPattern)
    const unknown = Object.keys(serviceTexts.notifications).filter((text) => {
      if (existing.has(text)) return false
      const sample = text.replaceAll(/\{\w+\}/g, 'x')
      const ownPattern = createPattern(text.replaceAll(/\{\w+\}/g, VALUE_PLACEHOLDER))
      return !templates.some((pattern) => pattern.test(sample)) && !exact.some((literal) => ownPattern.test(literal))
    })
    assert.deepEqual(unknown, [])
  })

  it('insert only values of the English text', () => {
    for (const [english, german] of Object.entries(serviceTexts.notifications)) {
      assert.ok(german.trim(), english)
      const placeholders = [...english.matchAll(/\{\w+\}/g)].map(String)
      for (const [placeholder] of german.matchAll(/\{\w+\}/g))
        assert.ok(placeholders.includes(placeholder), `${english}: ${placeholder}`)
      assert.equal(new Set(placeholders).size, placeholders.length, english)
    }
  })

  it("are looked up by the English text, with inserted values in the reader's format; other texts stay as they are", () => {
    const german = createTranslator(serviceTexts.notifications, (value) =>
      /^\d+\.\d+$/.test(value) ? value.replace('.', ',') : value,
    )
    assert.equal(german('Low stock'), 'Niedriger Bestand')
    assert.equal(
      german('Felt is low on stock: 2.5 in stock, minimum 5.'),
      'Felt hat niedrigen Bestand: 2,5 auf Lager, Mindestbestand 5.',
    )
    assert.equal(german('A plugin says $& this'), 'A plugin says $& this')
  })
})

/** Placeholder of an inserted value. */
const VALUE_PLACEHOLDER = '\u0000'

/** Extracts the string literals of a source file, with placeholders for inserted values. */
function extractLiterals(source: string): string[] {
  const texts = source.replaceAll(/\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}/g, VALUE_PLACEHOLDER)
  const literals = texts.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)
  return [...literals].map(
    ([, ...contents]) => contents.find((content) => content !== undefined)?.replaceAll(/\\(.)/g, '$1') ?? '',
  )
}

function createPattern(text: string): RegExp {
  const parts = text.split(VALUE_PLACEHOLDER).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.+')}$`, 's')
}

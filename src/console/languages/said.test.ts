import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Document, factsOf } from '../../console-bundle/facts.ts'
import { ROOT } from '../../paths.ts'
import { translator } from '../kit/language/said.ts'
import type { FieldFacts } from '../kit/service/facts.ts'
import { said } from './de/said.ts'
import { de } from './de.ts'
import { said as english } from './en/plain.ts'

const SOURCES = join(ROOT, 'src')
const filesOf = (folder: string, name: RegExp) =>
  readdirSync(join(SOURCES, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
const read = (file: string) => readFileSync(join(SOURCES, file), 'utf8')

const document = JSON.parse(read('../generated/openapi.json')) as Document
/** What the console knows of the resources that its forms are for: every field that can be written there. */
const fields = filesOf('console', /\.tsx?$/)
  .flatMap((file) => [...read(file).matchAll(/ from 'facts:([^']+)'/g)].map(([, path]) => path as string))
  .flatMap((path) => Object.entries(factsOf(document, path).fields).map(([name, facts]) => ({ path, name, ...facts })))
  .filter(({ isReadOnly, kind }) => !isReadOnly && kind !== 'structure' && kind !== 'file')

/** What people need not know: how programs say nothing, addresses, names of settings and of fields. */
const FOR_PROGRAMS = /\bnull\b|\bOPTIONS\b|\/api\/|\b[A-Z]{2,}_[A-Z_]+\b|\b[a-z]+_[a-z_]+\b|`(true|false)`/i

describe('what fields mean, in English', () => {
  const texts = [...new Set(fields.flatMap(({ help }) => help ?? []))]

  it('is for people: nothing that is shown speaks to programs', () => {
    assert.deepEqual(
      texts.map((text) => english.help[text] ?? text).filter((text) => FOR_PROGRAMS.test(text)),
      [],
    )
    assert.deepEqual(
      // null is zero there
      Object.values(said.help).filter((text) => FOR_PROGRAMS.test(text.replaceAll(/\bnull\b/g, ''))),
      [],
      'nor in German',
    )
  })

  it('has nothing that no field means any more, or that it says as the service does', () => {
    assert.deepEqual(
      Object.entries(english.help).filter(([text, own]) => !texts.includes(text) || text === own || own.trim() === ''),
      [],
    )
  })
})

describe('what the service refuses, in English', () => {
  it('is for people: nothing that rooms are known to meet speaks to programs', () => {
    const read = translator(english.texts, (value) => value)
    const met = Object.keys(said.texts).map((text) => text.replaceAll(/\{\w+\}/g, '7'))
    assert.deepEqual(
      met.map(read).filter((text) => FOR_PROGRAMS.test(text)),
      [],
    )
  })

  it('has nothing that rooms are not known to meet, or that it says as the service does', () => {
    assert.deepEqual(
      Object.entries(english.texts).filter(([text, own]) => said.texts[text] === undefined || text === own || own.trim() === ''),
      [],
    )
  })
})

describe('what the service says, in German', () => {
  it('has all that fields mean, and nothing that no field means any more', () => {
    const shown = new Set(fields.flatMap(({ help }) => help ?? []))
    assert.deepEqual(
      fields.filter(({ help }) => help && !said.help[help]).map(({ path, name, help }) => `${path} ${name}: ${help}`),
      [],
    )
    assert.deepEqual(
      Object.keys(said.help).filter((help) => !shown.has(help)),
      [],
    )
    assert.deepEqual(
      Object.entries(said.help).filter(([english, german]) => german.trim() === '' || english === german),
      [],
    )
  })

  it('has a name for every field', () => {
    const words = de as Record<string, string>
    const named = (name: string) => words[`field.${name}`] ?? said.fields[name]
    assert.deepEqual(
      fields.filter(({ name }) => !named(name)).map(({ path, name }) => `${path} ${name}`),
      [],
    )
    assert.deepEqual(
      Object.keys(said.fields).filter((name) => words[`field.${name}`] !== undefined),
      [],
      'these have a word',
    )
  })

  it('has a word for every choice but currencies', () => {
    const words = de as Record<string, string>
    const isShown = ({ path, name }: { path: string; name: string }) => path !== '/api/build/{id}/complete/' || name !== 'status'
    const choices = (facts: FieldFacts) => facts.choices?.filter((choice) => !/^([A-Z]{3})?$/.test(String(choice))) ?? []
    const missing = fields.filter(isShown).flatMap(({ path, name, ...facts }) =>
      choices(facts)
        .map((choice) => `choice.${path.slice('/api/'.length, -1)}.${name}.${choice}`)
        .filter((key) => words[key] === undefined),
    )
    assert.deepEqual(missing, [])
  })

  it('knows no text that the service does not say', () => {
    const written = filesOf('', /\.ts$/)
      .filter((file) => !/^(console|testing|specification|importing|demo\/(?!accounts))/.test(file))
      .flatMap((file) => literalsIn(read(file)))
    const exact = written.filter((text) => !text.includes(HOLE))
    const known = new Set(exact)
    // one of a few letters would fit everything
    const saysEnough = (text: string) => text.replaceAll(HOLE, '').trim().length >= 8 || /^[A-Z][a-z]{2}/.test(text)
    const templates = written.filter((text) => text.includes(HOLE) && saysEnough(text)).map(patternOf)
    const unknown = Object.keys(said.texts).filter((text) => {
      if (known.has(text)) return false
      const sample = text.replaceAll(/\{\w+\}/g, 'x')
      const own = patternOf(text.replaceAll(/\{\w+\}/g, HOLE))
      return !templates.some((pattern) => pattern.test(sample)) && !exact.some((one) => own.test(one))
    })
    assert.deepEqual(unknown, [])
  })

  it('puts into the German what was put into the English, and nothing else', () => {
    for (const [english, german] of Object.entries(said.texts)) {
      assert.ok(german.trim(), english)
      const places = [...english.matchAll(/\{\w+\}/g)].map(String)
      for (const [place] of german.matchAll(/\{\w+\}/g)) assert.ok(places.includes(place), `${english}: ${place}`)
      assert.equal(new Set(places).size, places.length, english)
    }
  })

  it('is found by the words of the service, with what was put in as the reader writes it; the rest stays as it is', () => {
    const german = translator(said.texts, (value) => (/^\d+\.\d+$/.test(value) ? value.replace('.', ',') : value))
    assert.equal(german('Not found.'), 'Nicht gefunden.')
    assert.equal(german('Available quantity (2.5) exceeded'), 'Es sind nur 2,5 frei.')
    assert.equal(german('Group range 1-9 (odd) exceeds allowed quantity (3)'), 'Der Bereich 1-9 (odd) ist mehr als 3 Stück.')
    assert.equal(german('Stock item 7 has a quantity of 3, no longer 5'), 'Vom Posten 7 sind inzwischen 3 da, nicht mehr 5.')
    assert.equal(german('A plugin says $& this'), 'A plugin says $& this')
    assert.equal(german('The machine Zebra $1 did not print: paper'), 'Der Drucker Zebra $1 hat nicht gedruckt: paper')
  })
})

/** Stands for what is put into a text. */
const HOLE = '\u0000'

/** The texts that stand in a source, with holes where something is put in. */
function literalsIn(source: string): string[] {
  const texts = source.replaceAll(/\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}/g, HOLE)
  const found = texts.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)
  return [...found].map(([, ...kinds]) => kinds.find((kind) => kind !== undefined)?.replaceAll(/\\(.)/g, '$1') ?? '')
}

function patternOf(text: string): RegExp {
  const parts = text.split(HOLE).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.+')}$`, 's')
}

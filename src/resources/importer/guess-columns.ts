import { FIELD_WORDS, type FieldWords } from '../../spreadsheets/field-words.ts'
import { HEADING_WORDS, type HeadingField } from '../../spreadsheets/heading-words.ts'
import { type Cells, getLookupForms, MAX_PREAMBLE_ROWS } from '../../spreadsheets/headings.ts'
import { ID_FIELD, type ImportFields } from './import-fields.ts'
import type { ImportModel } from './import-models.ts'

/** A heading in comparable form, by how well it fits: lower is better. */
type Ranks = ReadonlyMap<string, number>

/** The columns of own exports that hold the key of an object. */
const ID_HEADINGS: readonly string[] = [ID_FIELD, 'pk', 'ID']

/** The headings of a field in the files that existing clients export, by field. */
function listFormerHeadings({ resource }: ImportModel): ReadonlyMap<string, string> {
  const entries = Object.entries(resource.formerFile?.columns ?? {}).flatMap(([heading, expression]): [string, string][] => {
    const [, name = expression] = /^\{(\w+)\}$/.exec(expression) ?? []
    return [[name === 'pk' ? ID_FIELD : name, heading]]
  })
  // the first of several columns
  return new Map(entries.toReversed())
}

/** The columns that hold the keys of objects in own exports and in those of existing clients. */
export function listKeyHeadings(model: ImportModel): readonly string[] {
  const former = listFormerHeadings(model).get(ID_FIELD)
  return former === undefined ? ID_HEADINGS : [former, ...ID_HEADINGS]
}

const splitWords = (languages: Readonly<Record<string, string>>): string[] =>
  Object.values(languages).flatMap((words) => words.split(/,\s+/))

const listWords = (name: string): string[] =>
  name in HEADING_WORDS
    ? splitWords(HEADING_WORDS[name as HeadingField])
    : name in FIELD_WORDS
      ? splitWords(FIELD_WORDS[name as FieldWords])
      : []

/** The headings of a field: its name, its label and its help first, then the words of ten languages. */
function rankHeadings(model: ImportModel, fields: ImportFields, name: string): Ranks {
  const { label = '', help_text = '' } = fields[name] ?? {}
  const { aliases = {} } = model.resource
  const otherNames = Object.entries(aliases).flatMap((entry) => (entry.includes(name) ? entry : []))
  const own = name === ID_FIELD ? ID_HEADINGS : [name, label, help_text, ...otherNames]
  const wordLists = model.words?.[name] ?? [name]
  const words = wordLists.flatMap((list) => [
    // words of both tables: "Qty" of BOMs, and "On hand" of stock
    ...listWords(list),
    ...(list in HEADING_WORDS && list in FIELD_WORDS ? splitWords(FIELD_WORDS[list as FieldWords]) : []),
  ])
  const ranks = new Map<string, number>()
  for (const [rank, heading] of [...own, ...words].entries())
    for (const form of getLookupForms(heading)) if (!ranks.has(form)) ranks.set(form, rank)
  return ranks
}

/**
 * Maps columns to fields by their headings, each column and each field once: exact names first, then labels, then words.
 * @param known the fields of some headings, which come before any guess; empty for a column that is not mapped
 * @returns the column of each field that has one
 */
export function guessColumns(
  model: ImportModel,
  fields: ImportFields,
  columns: readonly string[],
  known: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const guesses = new Map<string, string>()
  const taken = new Set<string>()
  for (const column of columns) {
    const field = known.get(column)
    if (field === undefined || guesses.has(field)) continue
    taken.add(column)
    if (field in fields) guesses.set(field, column)
  }
  const former = listFormerHeadings(model)
  for (const name of Object.keys(fields)) {
    if (guesses.has(name)) continue
    const exact = (name === ID_FIELD ? listKeyHeadings(model) : [name, former.get(name) ?? name]).find(
      (heading) => columns.includes(heading) && !taken.has(heading),
    )
    if (exact === undefined) continue
    guesses.set(name, exact)
    taken.add(exact)
  }
  const candidates = Object.keys(fields)
    .filter((name) => !guesses.has(name))
    .flatMap((name) => {
      const ranks = rankHeadings(model, fields, name)
      return columns.flatMap((column) => {
        const rank = Math.min(...getLookupForms(column).map((form) => ranks.get(form) ?? Number.POSITIVE_INFINITY))
        return Number.isFinite(rank) && !taken.has(column) ? [{ name, column, rank }] : []
      })
    })
  for (const { name, column } of candidates.toSorted((one, other) => one.rank - other.rank)) {
    if (guesses.has(name) || taken.has(column)) continue
    guesses.set(name, column)
    taken.add(column)
  }
  return guesses
}

/** Finds the heading row of a table of these objects: the one that names the most fields, otherwise the first. */
export const createHeadingFinder = (model: ImportModel, fields: ImportFields) => {
  const forms = new Set(Object.keys(fields).flatMap((name) => [...rankHeadings(model, fields, name).keys()]))
  const countFields = (cells: Cells): number =>
    new Set(cells.flatMap((cell) => getLookupForms(cell ?? '').find((form) => forms.has(form)) ?? [])).size
  return (rows: readonly Cells[]): number => {
    const counts = rows.slice(0, MAX_PREAMBLE_ROWS).map(countFields)
    return Math.max(0, counts.indexOf(Math.max(...counts)))
  }
}

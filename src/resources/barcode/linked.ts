import { findDetail } from '../../kit/reading/detail.ts'
import type { Caller } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import { type RunQuery, readThrough } from '../../kit/sql/run-query.ts'
import { isObject, parseJson } from '../../kit/values/json.ts'
import type { Found } from '../../plugin-api/index.ts'
import { barcodeHash, barcodeKey } from './barcode-hash.ts'
import { type Kind, kinds } from './kinds.ts'

const MOST_PK = 2_147_483_647

/**
 * What a code of this service stands for, or what it was linked to.
 * @param text the code, trimmed
 * @param among the kinds that are looked through, in this order
 */
export async function findOwn(read: RunQuery, text: string, among: readonly Kind[]): Promise<Found | undefined> {
  return (await findNamed(read, text, among)) ?? findLinked(read, text, among)
}

/** An object that was found, and what GET shows of it, as JSON, where that was read with it. */
export type FoundWithBody = { found: Found; body?: string }

/**
 * The same, and in the same statement what it is: an object that a code of this service names, and a stock item to which the code is
 * linked, which most linked codes are.
 */
export async function findOwnWithBody(
  context: Services & { caller: Caller },
  text: string,
  among: readonly Kind[],
): Promise<FoundWithBody | undefined> {
  const reader = { caller: context.caller, services: context, through: context.database }
  const read = readThrough(context)
  const named = namedInJson(text, among)
  const [first] = named
  if (first) {
    const one = await findDetail(first.kind.resource, { sql: 'select {@key}::integer as pk', values: { key: first.pk } }, reader)
    if (one?.body) return { found: { kind: first.kind.key, pk: first.pk }, body: one.body }
    const found = await findNamed(read, text, among)
    if (found) return { found }
  }
  const items = kinds.find(({ key }) => key === 'stockitem') as Kind
  const linked = await findDetail(items.resource, { sql: LINKED_ITEM, values: valuesOf(text, among) }, reader)
  if (!linked) return undefined
  const { kind, object } = linked.found as { kind: string; object: number }
  return { found: { kind, pk: object }, ...(linked.body ? { body: linked.body } : {}) }
}

/** What a code is linked to, with the key of a stock item as `pk`. */
const LINKED_ITEM = `select kind, object, case when kind = 'stockitem' then object end as pk from linked_code
  where (hash = {@hash} or key = {@key}) and kind = any({@kinds}::text[]) order by hash = {@hash} desc limit 1`

const valuesOf = (text: string, among: readonly Kind[]) => ({
  hash: barcodeHash(text),
  key: barcodeKey(text),
  kinds: among.map(({ key }) => key),
})

type Named = { kind: Kind; pk: number }

/** What `{"part": 10}` names, in the order of the kinds. */
function namedInJson(text: string, among: readonly Kind[]): Named[] {
  if (!text.startsWith('{')) return []
  let given: unknown
  try {
    given = parseJson(text)
  } catch {
    return []
  }
  if (!isObject(given)) return []
  const body = given
  return among.flatMap((kind) => {
    const pk = Object.hasOwn(body, kind.key) ? keyOf(body[kind.key]) : undefined
    return pk === undefined ? [] : [{ kind, pk }]
  })
}

/** A key as codes in JSON hold it: a number, of which what stands behind its point does not count, or a text of digits. */
function keyOf(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^\s*\+?\d{1,20}\s*$/.test(value)
  const number = typeof value === 'number' || isText ? Math.trunc(Number(value)) : value === true ? 1 : 0
  return number >= 1 && number <= MOST_PK ? number : undefined
}

/** The first object that is there of those which a code of this service in JSON names. Of any other code nothing is asked. */
export async function findNamed(read: RunQuery, text: string, among: readonly Kind[]): Promise<Found | undefined> {
  const named = namedInJson(text, among)
  if (named.length === 0) return undefined
  const selects = named.map(({ kind }, at) => `select ${at} as at from ${kind.table} where pk = $${at + 1}`)
  const [row] = await read<{ at: number }>(
    `${selects.join(' union all ')} order by at limit 1`,
    named.map(({ pk }) => pk),
  )
  const found = row && named[row.at]
  return found && { kind: found.kind.key, pk: found.pk }
}

/** What the code is linked to: as it is, else in another way of writing it. */
export async function findLinked(read: RunQuery, text: string, among: readonly Kind[]): Promise<Found | undefined> {
  const [row] = await read<{ kind: string; object: number }>(
    `select kind, object from linked_code where (hash = $1 or key = $2) and kind = any($3::text[]) order by hash = $1 desc limit 1`,
    [barcodeHash(text), barcodeKey(text), among.map(({ key }) => key)],
  )
  return row && { kind: row.kind, pk: row.object }
}

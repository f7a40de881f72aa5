import { LRUCache } from 'lru-cache'
import { findDetail } from '../../kit/reading/detail.ts'
import type { Caller } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import { type RunQuery, readThrough } from '../../kit/sql/run-query.ts'
import { isObject, parseJson } from '../../kit/values/json.ts'
import type { Found } from '../../plugin-api/index.ts'
import { barcodeHash, barcodeKey } from './barcode-hash.ts'
import { type Kind, kindOf, kinds } from './kinds.ts'

const MOST_PK = 2_147_483_647

/**
 * What a code of this service stands for, or what it was linked to, in one statement.
 * @param text the code, trimmed
 * @param among the kinds that are looked through, in this order
 * @param short what it stands for as a short code, if that is there and the code is not linked
 */
export async function findOwn(
  read: RunQuery,
  text: string,
  among: readonly Kind[],
  short: Named | undefined,
): Promise<Found | undefined> {
  const values: unknown[] = [barcodeHash(text), barcodeKey(text), among.map(({ key }) => key)]
  const there = ({ kind, pk }: Named) =>
    `select '${kind.key}' as kind, pk as object from ${kind.table} where pk = $${values.push(pk)}`
  const places = [...namedInJson(text, among).map(there), `(${LINKED})`, ...(short ? [there(short)] : [])]
  const selects = places.map((place, at) => `select ${at} as at, kind, object from (${place}) place`)
  const [row] = await read<{ kind: string; object: number }>(`${selects.join(' union all ')} order by at limit 1`, values)
  return row && { kind: row.kind, pk: row.object }
}

/** An object that was found, and what GET shows of it, as JSON, where that was read with it. */
export type FoundWithBody = { found: Found; body?: string }

/**
 * The same, and in the same statement what it is, but for an object that is found by a linked code for the first time and is no stock
 * item, which most are to which codes are linked.
 */
export async function findOwnWithBody(
  context: Services & { caller: Caller },
  text: string,
  among: readonly Kind[],
  short: Named | undefined,
): Promise<FoundWithBody | undefined> {
  const reader = { caller: context.caller, services: context, through: context.database }
  const read = readThrough(context)
  const named = namedInJson(text, among)
  const [first] = named
  if (first) {
    const one = await findDetail(first.kind.resource, { sql: 'select {@key}::integer as pk', values: { key: first.pk } }, reader)
    if (one?.body) return { found: { kind: first.kind.key, pk: first.pk }, body: one.body }
    const found = await findOwn(read, text, among, undefined)
    return found && { found }
  }
  const hash = barcodeHash(text)
  const likely = short?.kind ?? kindOf(lastKinds.get(hash) ?? 'stockitem') ?? among[0]
  if (!likely) return undefined
  const values = { hash, key: barcodeKey(text), kinds: among.map(({ key }) => key), likely: likely.key, short: short?.pk }
  const sql = short ? linkedOrShort(short.kind) : LINKED_WITH_KEY
  const one = await findDetail(likely.resource, { sql, values }, reader)
  if (!one) return undefined
  const { kind, object } = one.found as { kind: string; object: number }
  if (!short) lastKinds.set(hash, kind)
  return { found: { kind, pk: object }, ...(one.body ? { body: one.body } : {}) }
}

/**
 * Of which kind what was found by linked codes was the last time, by the hash of the code: what it is now is looked up, and read at once
 * if it is of that kind.
 */
const lastKinds = new LRUCache<string, string>({ max: 10_000 })

/** What a code is linked to. Values: its hash, its key, and the kinds that count. */
const LINKED = `select kind, object from linked_code
  where (hash = $1 or key = $2) and kind = any($3::text[]) order by hash = $1 desc limit 1`

/** The same, and the key of an object of the kind that is likely as `pk`. */
const LINKED_WITH_KEY = `select kind, object, case when kind = {@likely}::text then object end as pk from linked_code
  where (hash = {@hash} or key = {@key}) and kind = any({@kinds}::text[]) order by hash = {@hash} desc limit 1`

/** The same, or else the object of a kind that a short code names, if it is there. */
const linkedOrShort = ({
  key,
  table,
}: Kind): string => `select kind, object, case when kind = {@likely}::text then object end as pk from (
    select case when hash = {@hash} then 0 else 1 end as at, kind, object from linked_code
    where (hash = {@hash} or key = {@key}) and kind = any({@kinds}::text[])
    union all
    select 2, '${key}', pk from ${table} where pk = {@short}::integer
  ) place order by at limit 1`

/** An object that a code names, whether it is there or not. */
export type Named = { kind: Kind; pk: number }

/** Whether a code is one of this service in JSON, whether what it names is there or not. */
export const isOwnJson = (text: string): boolean => namedInJson(text, kinds).length > 0

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
  const [row] = await read<{ kind: string; object: number }>(LINKED, [
    barcodeHash(text),
    barcodeKey(text),
    among.map(({ key }) => key),
  ])
  return row && { kind: row.kind, pk: row.object }
}

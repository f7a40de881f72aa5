import { LRUCache } from 'lru-cache'
import { findDetail } from '../../kit/reading/detail.ts'
import type { Caller } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import { queryThrough, type RunQuery } from '../../kit/sql/run-query.ts'
import { isObject, parseJson } from '../../kit/values/json.ts'
import type { Found } from '../../plugin-api/index.ts'
import { computeBarcodeKey, hashBarcode } from './barcode-hash.ts'
import { type BarcodeKind, findKind, kinds } from './kinds.ts'

const MAX_PK = 2_147_483_647

/**
 * Finds the object that a code of this service names or is linked to, in one statement.
 * @param text the code, trimmed
 * @param searchedKinds the types to search, in this order
 * @param short the object that it names as a short code, used if that exists and the code is not linked
 */
export async function findOwnOrLinked(
  read: RunQuery,
  text: string,
  searchedKinds: readonly BarcodeKind[],
  short: CodeTarget | undefined,
): Promise<Found | undefined> {
  const values: unknown[] = [hashBarcode(text), computeBarcodeKey(text), searchedKinds.map(({ key }) => key)]
  const selectTarget = ({ kind, pk }: CodeTarget) =>
    `select '${kind.key}' as kind, pk as object from ${kind.table} where pk = $${values.push(pk)}`
  const sources = [
    ...parseJsonTargets(text, searchedKinds).map(selectTarget),
    `(${LINKED})`,
    ...(short ? [selectTarget(short)] : []),
  ]
  const selects = sources.map((source, index) => `select ${index} as at, kind, object from (${source}) target`)
  const [row] = await read<{ kind: string; object: number }>(`${selects.join(' union all ')} order by at limit 1`, values)
  return row && { kind: row.kind, pk: row.object }
}

/** The object found, and its GET body as JSON if it was read in the same statement. */
export type MatchWithBody = { match: Found; body?: string }

/**
 * Like `findOwnOrLinked`, and reads the object in the same statement, except on the first scan of a linked code whose object is not a stock item;
 * most linked codes belong to stock items.
 */
export async function findOwnWithBody(
  context: Services & { caller: Caller },
  text: string,
  searchedKinds: readonly BarcodeKind[],
  short: CodeTarget | undefined,
): Promise<MatchWithBody | undefined> {
  const reader = { caller: context.caller, services: context, executor: context.database }
  const read = queryThrough(context)
  const targets = parseJsonTargets(text, searchedKinds)
  const [first] = targets
  if (first) {
    const detail = await findDetail(
      first.kind.resource,
      { sql: 'select {@key}::integer as pk', values: { key: first.pk } },
      reader,
    )
    if (detail?.body) return { match: { kind: first.kind.key, pk: first.pk }, body: detail.body }
    const match = await findOwnOrLinked(read, text, searchedKinds, undefined)
    return match && { match }
  }
  const hash = hashBarcode(text)
  const likelyKind = short?.kind ?? findKind(lastKinds.get(hash) ?? 'stockitem') ?? searchedKinds[0]
  if (!likelyKind) return undefined
  const values = {
    hash,
    key: computeBarcodeKey(text),
    kinds: searchedKinds.map(({ key }) => key),
    likely: likelyKind.key,
    short: short?.pk,
  }
  const sql = short ? linkedOrShortSql(short.kind) : LINKED_WITH_KEY
  const detail = await findDetail(likelyKind.resource, { sql, values }, reader)
  if (!detail) return undefined
  const { kind, object } = detail.row as { kind: string; object: number }
  if (!short) lastKinds.set(hash, kind)
  return { match: { kind, pk: object }, ...(detail.body ? { body: detail.body } : {}) }
}

/**
 * Type that each linked code last resolved to, by the hash of the code. The code is still looked up, and its object is read in the same
 * statement if it has that type.
 */
const lastKinds = new LRUCache<string, string>({ max: 10_000 })

/** Finds the object that a code is linked to. Values: its hash, its key, and the types that count. */
const LINKED = `select kind, object from linked_code
  where (hash = $1 or key = $2) and kind = any($3::text[]) order by hash = $1 desc limit 1`

/** The same, and the key as `pk` if the object has the likely type. */
const LINKED_WITH_KEY = `select kind, object, case when kind = {@likely}::text then object end as pk from linked_code
  where (hash = {@hash} or key = {@key}) and kind = any({@kinds}::text[]) order by hash = {@hash} desc limit 1`

/** The same, otherwise the existing object that a short code names. */
const linkedOrShortSql = ({
  key,
  table,
}: BarcodeKind): string => `select kind, object, case when kind = {@likely}::text then object end as pk from (
    select case when hash = {@hash} then 0 else 1 end as at, kind, object from linked_code
    where (hash = {@hash} or key = {@key}) and kind = any({@kinds}::text[])
    union all
    select 2, '${key}', pk from ${table} where pk = {@short}::integer
  ) target order by at limit 1`

/** An object that a code names, whether it exists or not. */
export type CodeTarget = { kind: BarcodeKind; pk: number }

/** Whether a code is a JSON code of this service, even if the object that it names does not exist. */
export const isOwnJson = (text: string): boolean => parseJsonTargets(text, kinds).length > 0

/** Returns the objects that a code like `{"part": 10}` names, by precedence of types. */
function parseJsonTargets(text: string, searchedKinds: readonly BarcodeKind[]): CodeTarget[] {
  if (!text.startsWith('{')) return []
  let parsedCode: unknown
  try {
    parsedCode = parseJson(text)
  } catch {
    return []
  }
  if (!isObject(parsedCode)) return []
  const body = parsedCode
  return searchedKinds.flatMap((kind) => {
    const pk = Object.hasOwn(body, kind.key) ? parseKey(body[kind.key]) : undefined
    return pk === undefined ? [] : [{ kind, pk }]
  })
}

/** Reads a key from a JSON code: a number, whose decimals are ignored, or a string of digits. */
function parseKey(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^\s*\+?\d{1,20}\s*$/.test(value)
  const number = typeof value === 'number' || isText ? Math.trunc(Number(value)) : value === true ? 1 : 0
  return number >= 1 && number <= MAX_PK ? number : undefined
}

/** Finds the first existing object that a JSON code of this service names. Other codes cause no query. */
export async function findJsonTarget(
  read: RunQuery,
  text: string,
  searchedKinds: readonly BarcodeKind[],
): Promise<Found | undefined> {
  const targets = parseJsonTargets(text, searchedKinds)
  if (targets.length === 0) return undefined
  const selects = targets.map(({ kind }, index) => `select ${index} as at from ${kind.table} where pk = $${index + 1}`)
  const [row] = await read<{ at: number }>(
    `${selects.join(' union all ')} order by at limit 1`,
    targets.map(({ pk }) => pk),
  )
  const match = row && targets[row.at]
  return match && { kind: match.kind.key, pk: match.pk }
}

/** Finds the object that a code is linked to, preferring the exact code to another notation of it. */
export async function findLinked(
  read: RunQuery,
  text: string,
  searchedKinds: readonly BarcodeKind[],
): Promise<Found | undefined> {
  const [row] = await read<{ kind: string; object: number }>(LINKED, [
    hashBarcode(text),
    computeBarcodeKey(text),
    searchedKinds.map(({ key }) => key),
  ])
  return row && { kind: row.kind, pk: row.object }
}

import type { Reply } from '../../../kit/definition/action.ts'
import type { Caller } from '../../../kit/request/caller.ts'
import type { Problem } from '../../../kit/request/problem.ts'
import { isObject } from '../../../kit/values/json.ts'
import { ErrorMessage } from '../../../kit/values/message.ts'
import { storable } from '../../../kit/values/text.ts'
import type { Found } from '../../../plugin-api/index.ts'
import type { UndoRecord } from './undo/recorded-changes.ts'

/** A scan, as it is recorded. */
export type ScanRow = {
  /** Time of the response: it may be written slightly later. */
  timestamp: string
  user: number
  action: string
  endpoint: string
  data: string
  context: Readonly<Record<string, unknown>>
  result: boolean
  status: number
  response: Readonly<Record<string, unknown>>
  objects: readonly Found[]
  batch_id?: string
  scanned?: string
  undo?: UndoRecord
}

/** Inserts scans, given as JSON, and returns their keys. The user may have been deleted meanwhile. */
export const INSERT_SCANS = `insert into barcode_scan
    (timestamp, "user", action, endpoint, data, context, result, status, response, objects, batch_id, scanned, undo)
  select timestamp, account.pk, action, endpoint, data, context, result, status, response, objects, batch_id, scanned, undo
  from json_to_recordset($1::json) scan (timestamp timestamptz, "user" integer, action text, endpoint text, data text, context json,
    result boolean, status integer, response json, objects json, batch_id text, scanned timestamptz, undo json)
  left join user_account account on account.pk = scan."user"
  returning pk`

/** Result of an operation: its response, the objects that it found, made or changed, and the data for undoing it. */
export type ScanOutcome = { reply: Reply; objects?: readonly Found[]; undo?: UndoRecord }

type Scanned = {
  caller: Caller
  action: string
  endpoint: string
  /** The code, trimmed. */
  data: string
  /** The body as sent, which the response repeats. */
  raw: Readonly<Record<string, unknown>>
  /** The body as parsed. */
  context: Readonly<Record<string, unknown>>
  outcome?: ScanOutcome
  problem?: Problem
  batch_id?: string
  scanned?: string
}

/** Converts a successful or rejected scan into a row. */
export function scanRow({ caller, raw, context, outcome, problem, ...scan }: Scanned): ScanRow {
  const { barcode: _, ...rest } = context
  const { status, value } = outcome ? outcome.reply : { status: problem?.status ?? 500, value: problem?.body }
  const response = summarizeResponse(value, outcome ? raw : {})
  // existing clients receive several matches with a success status
  const result = outcome !== undefined && !('error' in response) && !('action_required' in response)
  const objects = outcome?.objects ?? []
  const timestamp = new Date().toISOString()
  return { ...scan, timestamp, user: caller.pk, context: rest, result, status, response, objects, undo: outcome?.undo }
}

/** Maximum stored characters of a response text. */
const MAX_TEXT = 500

/** Sanitizes a text for storage: an error may repeat any input. */
const shorten = (text: string): string => storable([...text.slice(0, MAX_TEXT * 2)].slice(0, MAX_TEXT).join(''))

/** Returns the text of a value, or of an error; undefined for anything else. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : ErrorMessage.is(value) ? value.message : undefined

/** Returns the texts of a response, including field errors, without repeated input and fields that the history has itself. */
function summarizeResponse(value: unknown, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!isObject(value)) return {}
  const summary = Object.entries(value).flatMap(([name, entry]): [string, unknown][] => {
    if (Object.hasOwn(sent, name) || name === 'barcode_data' || name === 'barcode_hash') return []
    const text = textOf(entry)
    if (text !== undefined) return [[name, shorten(text)]]
    const texts = Array.isArray(entry) ? entry.slice(0, 10).map(textOf) : []
    return Array.isArray(entry) && texts.every((text) => text !== undefined) ? [[name, texts.map(shorten)]] : []
  })
  return Object.fromEntries(summary)
}

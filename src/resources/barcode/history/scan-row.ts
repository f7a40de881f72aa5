import type { Reply } from '../../../kit/definition/action.ts'
import type { Caller } from '../../../kit/request/caller.ts'
import type { Problem } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { isObject } from '../../../kit/values/json.ts'
import { ErrorMessage } from '../../../kit/values/message.ts'
import { toStorableText } from '../../../kit/values/text.ts'
import type { Found } from '../../../plugin-api/index.ts'
import { setting } from '../../../settings/live.ts'
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

/** Whether scans are stored in the history. */
export const storesScans = (services: Pick<Services, 'settings'>): boolean => setting(services, 'BARCODE_STORE_RESULTS')

/** Inserts scans, given as JSON, and returns their keys. The user may have been deleted in the meantime. */
export const INSERT_SCANS = `insert into barcode_scan
    (timestamp, "user", action, endpoint, data, context, result, status, response, objects, batch_id, scanned, undo)
  select timestamp, account.pk, action, endpoint, data, context, result, status, response, objects, batch_id, scanned, undo
  from json_to_recordset($1::json) scan (timestamp timestamptz, "user" integer, action text, endpoint text, data text, context json,
    result boolean, status integer, response json, objects json, batch_id text, scanned timestamptz, undo json)
  left join user_account account on account.pk = scan."user"
  returning pk`

/** Result of an operation: its response, the objects that it found, created or changed, and the data for undoing it. */
export type ScanOutcome = { reply: Reply; objects?: readonly Found[]; undo?: UndoRecord }

type ScanData = {
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
export function toScanRow({ caller, raw, context, outcome, problem, ...scan }: ScanData): ScanRow {
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
const MAX_TEXT_CHARACTERS = 500

/** Truncates and sanitizes a message for storage: an error may repeat any input. */
const sanitizeText = (text: string): string =>
  toStorableText([...text.slice(0, MAX_TEXT_CHARACTERS * 2)].slice(0, MAX_TEXT_CHARACTERS).join(''))

/** Returns the text of a value, or of an error; undefined for anything else. */
const getText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : ErrorMessage.is(value) ? value.message : undefined

/** Returns the messages of a response, including field errors, without repeated input and fields that the history already has. */
function summarizeResponse(value: unknown, sent: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!isObject(value)) return {}
  const summary = Object.entries(value).flatMap(([name, entry]): [string, unknown][] => {
    if (Object.hasOwn(sent, name) || name === 'barcode_data' || name === 'barcode_hash') return []
    const text = getText(entry)
    if (text !== undefined) return [[name, sanitizeText(text)]]
    const texts = Array.isArray(entry) ? entry.slice(0, 10).map(getText) : []
    return Array.isArray(entry) && texts.every((text) => text !== undefined) ? [[name, texts.map(sanitizeText)]] : []
  })
  return Object.fromEntries(summary)
}

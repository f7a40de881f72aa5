import { Type } from 'typebox'
import type { Config } from '../../config.ts'
import type { Statement } from '../../database/text-query.ts'
import { signedIn } from '../request/caller.ts'
import type { Database } from '../sql/tx.ts'
import { type View, view } from './action.ts'
import type { Choice } from './input.ts'

/** One code of a status table: its number, its text, and the color in which clients show it. */
export type Status = { key: number; label: string; color: string }

/** A status table: the name by which clients know it, and its codes by name. */
export type StatusTable = {
  readonly name: string
  readonly codes: Readonly<Record<string, Status>>
  /** Selects the states that the installation adds: `key`, `name`, `label` and `color`. */
  readonly customStates?: Statement
}

/** The codes of a table with their texts, as labels, filters and forms need them. */
export const listStatusChoices = (codes: Readonly<Record<string, Status>>): readonly Choice[] =>
  Object.values(codes).map(({ key, label }) => ({ value: key, label }))

/** The schema of a status table in responses. */
export const statusTableSchema = Type.Object({
  class: Type.String(),
  status_class: Type.Optional(Type.String({ description: 'The same as `class`, for clients of API 530.' })),
  values: Type.Record(
    Type.String(),
    Type.Object({
      color: Type.String(),
      key: Type.Integer(),
      logical_key: Type.Optional(
        Type.Integer({ description: 'The key of the status that a state of the installation stands for.' }),
      ),
      label: Type.String(),
      name: Type.String(),
      custom: Type.Optional(Type.Boolean({ description: 'True for a state that the installation adds.' })),
    }),
  ),
})

/** Metadata of its fields in OPTIONS for clients of API 530. */
export const STATUS_METADATA = {
  status_class: { label: 'Class' },
  values: { type: 'nested object', read_only: false },
} as const

/** A status table in the form of a response, with the states that the installation adds. */
export async function readStatusTable(
  { name, codes, customStates }: StatusTable,
  database: Pick<Database, 'read'>,
  { wire: { extendedFields } }: Pick<Config, 'wire'>,
) {
  const added = customStates ? await database.read<Status & { name: string }>(customStates) : []
  return {
    class: name,
    ...(extendedFields && { status_class: name }),
    values: Object.fromEntries([
      ...Object.entries(codes).map(([code, { color, key, label }]) => [code, { color, key, label, name: code }]),
      ...added.map((state) => [state.name, { ...state, custom: true }]),
    ]),
  }
}

/** The view of a status table, from which clients read texts and colors. For every account. */
export const statusView = (path: string, table: StatusTable): View =>
  view({
    path,
    summary: `List the values of ${table.name}`,
    description: 'All statuses by name, each with its key, its text and its color.',
    access: signedIn,
    response: statusTableSchema,
    api530: { metadata: STATUS_METADATA },
    read: ({ database, config }) => readStatusTable(table, database, config),
  })

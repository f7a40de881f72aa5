import { Type } from 'typebox'
import { signedIn } from '../request/caller.ts'
import { type View, view } from './action.ts'
import type { Choice } from './input.ts'

/** One code of a table of states: its number, its text, and the colour in which clients show it. */
export type Status = { key: number; label: string; color: string }

/** A table of states: the name under which clients know it, and its codes by theirs. */
export type StatusTable = { readonly name: string; readonly codes: Readonly<Record<string, Status>> }

/** The codes of a table with their texts, as labels, filters and forms need them. */
export const statusChoices = (codes: Readonly<Record<string, Status>>): readonly Choice[] =>
  Object.values(codes).map(({ key, label }) => ({ value: key, label }))

/** The schema of a table of states in answers. */
export const statusTableSchema = Type.Object({
  class: Type.String(),
  values: Type.Record(
    Type.String(),
    Type.Object({ color: Type.String(), key: Type.Integer(), label: Type.String(), name: Type.String() }),
  ),
})

/** A table of states as it is answered. */
export const statusTableAnswer = ({ name, codes }: StatusTable) => ({
  class: name,
  values: Object.fromEntries(
    Object.entries(codes).map(([code, { color, key, label }]) => [code, { color, key, label, name: code }]),
  ),
})

/** The view of a table of states, from which clients read texts and colours. For everyone with an account. */
export const statusView = (path: string, table: StatusTable): View =>
  view({
    path,
    summary: `List the values of ${table.name}`,
    description: 'All statuses by name, each with its key, its text and its color.',
    access: signedIn,
    answer: statusTableSchema,
    read: () => statusTableAnswer(table),
  })

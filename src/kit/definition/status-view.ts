import { Type } from 'typebox'
import { signedIn } from '../request/caller.ts'
import { type View, view } from './action.ts'

/** One code of a table of states: its number, its text, and the colour in which clients show it. */
export type Status = { key: number; label: string; color: string }

/** The view of a table of states, from which clients read texts and colours. For everyone with an account. */
export const statusView = (path: string, name: string, codes: Readonly<Record<string, Status>>): View =>
  view({
    path,
    summary: `The values of ${name}`,
    description:
      'The states by name, each with its number as it stands in objects (`key`), its text, and the colour to show it in.',
    access: signedIn,
    answer: Type.Object({
      class: Type.String(),
      values: Type.Record(
        Type.String(),
        Type.Object({ color: Type.String(), key: Type.Integer(), label: Type.String(), name: Type.String() }),
      ),
    }),
    read: () => ({
      class: name,
      values: Object.fromEntries(
        Object.entries(codes).map(([code, { color, key, label }]) => [code, { color, key, label, name: code }]),
      ),
    }),
  })

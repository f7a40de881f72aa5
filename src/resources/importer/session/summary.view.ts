import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { readDetail } from '../../../kit/reading/detail.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { importSession } from './import-session.resource.ts'

/** Maximum number of new referenced objects that are listed. */
const MAX_CREATED = 100

const counts = (what: string) =>
  Type.Object(
    { create: Type.Integer(), update: Type.Integer(), unchanged: Type.Integer(), skip: Type.Integer() },
    {
      description: `The number of rows ${what}: by whether they create an object, change one, find nothing to change, or are skipped.`,
    },
  )

const ACTIONS = ['create', 'update', 'unchanged', 'skip'] as const

export const summarizeImport = view({
  path: '/api/importer/session/{id}/summary/',
  summary: 'Summarize what an import does',
  description:
    'Counts the rows by what accepting them does or did, and their errors by field, and lists the objects that are created because rows name them.',
  example: { params: { id: 1 }, status: 404 },
  access: signedIn,
  response: Type.Object({
    open: counts('that can be accepted'),
    accepted: counts('that were accepted'),
    invalid: Type.Integer({ description: 'The number of rows with errors.' }),
    errors: Type.Array(
      Type.Object({
        field: Type.String({ description: 'The field; empty for errors of the row as a whole.' }),
        code: Type.String(),
        rows: Type.Integer({ description: 'The number of rows with this error.' }),
      }),
    ),
    created: Type.Array(
      Type.Object({
        field: Type.String({ description: 'The field in which rows name it.' }),
        model: Type.String({ description: 'The type of the object.' }),
        name: Type.String(),
        rows: Type.Integer({ description: 'The number of rows that name it.' }),
      }),
      { description: `Objects that are created because valid rows name them, at most ${MAX_CREATED}.` },
    ),
    created_count: Type.Integer({ description: 'The number of these objects.' }),
  }),
  async read({ database, caller, pk, ...services }) {
    await readDetail(importSession, pk, new Set(), { caller, services: { ...services, database }, executor: database })
    const rows = await database.read<{ kind: (typeof ACTIONS)[number]; complete: boolean; valid: boolean; count: number }>({
      text: `select case when action = 'update' and previous::text = '{}' then 'unchanged' else action end as kind, complete, valid,
          count(*)::integer as count
        from import_row where session = $1 group by 1, 2, 3`,
      values: [pk],
    })
    const errors = await database.read<{ field: string; code: string; rows: number }>({
      text: `select ltrim(entry->>'pointer', '/') as field, entry->>'code' as code, count(distinct r.pk)::integer as rows
        from import_row r, json_array_elements(r.field_errors) entry
        where r.session = $1 and not r.valid and not r.complete group by 1, 2 order by 3 desc, 1, 2 limit 50`,
      values: [pk],
    })
    const created = await database.read<{ field: string; model: string; name: string; rows: number; total: number }>({
      text: `select entry->>'field' as field, entry->>'model' as model, entry->>'name' as name, count(distinct r.pk)::integer as rows,
          count(*) over ()::integer as total
        from import_row r, json_array_elements(r.created) entry
        where r.session = $1 and r.valid group by 1, 2, 3 order by min(r.row_index), 3 limit ${MAX_CREATED}`,
      values: [pk],
    })
    const sum = (isIn: (row: (typeof rows)[number]) => boolean) =>
      rows.reduce((total, row) => (isIn(row) ? total + row.count : total), 0)
    const countActions = (isIn: (row: (typeof rows)[number]) => boolean) =>
      Object.fromEntries(ACTIONS.map((action) => [action, sum((row) => row.kind === action && isIn(row))]))
    return {
      open: countActions(({ complete, valid }) => valid && !complete),
      accepted: countActions(({ complete }) => complete),
      invalid: sum(({ complete, valid }) => !valid && !complete),
      errors,
      created: created.map(({ total: _, ...entry }) => entry),
      created_count: created[0]?.total ?? 0,
    }
  },
})
